package corfu.cli.command;

/** A command can't go on; the message is for the person who typed it. */
public class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  public CommandException(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  public CommandException(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  public final int exitCode() {
    return exitCode;
  }
}
