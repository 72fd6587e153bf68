package corfu.cli.audit;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import java.util.function.Supplier;

/** Arguments of the commands of this package. Stateless. */
final class AuditArguments {

  private AuditArguments() {}

  /** Turns wrong arguments into a failure of the command line. */
  static <T> T argument(Supplier<T> parsed) {
    try {
      return parsed.get();
    } catch (IllegalArgumentException wrong) {
      throw new CommandException(ExitCode.USAGE, String.valueOf(wrong.getMessage()));
    }
  }
}
