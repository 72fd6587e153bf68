package corfu.cli.command;

/** A command failed. The message is for the person who typed the command. */
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
