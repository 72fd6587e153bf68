package corfu.cli.shell;

/** A line can't be carried out; the message is for the person who typed it. */
public final class ShellException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ShellException(String message) {
    super(message);
  }

  ShellException(String message, Throwable cause) {
    super(message, cause);
  }
}
