package corfu.cli.shell;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;

/** A line of the shell failed. The message is for the person who typed the line. */
public final class ShellException extends CommandException {
  private static final long serialVersionUID = 1L;

  ShellException(String message) {
    super(ExitCode.FAILED, message);
  }

  ShellException(String message, Throwable cause) {
    super(ExitCode.FAILED, message, cause);
  }
}
