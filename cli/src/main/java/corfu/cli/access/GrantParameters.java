package corfu.cli.access;

import corfu.access.Grant;
import corfu.access.Subject;
import corfu.access.Target;
import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.protocol.Permission;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Parameters;

/** The parameters that name a grant. */
final class GrantParameters {

  @Parameters(
      index = "0",
      paramLabel = "SUBJECT",
      description = "Identity, PREFIX*, role:NAME, or anonymous.")
  private String subject = "";

  @Parameters(index = "1", paramLabel = "PERMISSION", description = "Permission, such as append.")
  private String permission = "";

  @Parameters(
      index = "2",
      arity = "0..1",
      paramLabel = "TARGET",
      description = "Streams, for read, append and trim: NAME, PREFIX*, *, id:UUID, name:TEXT.")
  private Optional<String> target = Optional.empty();

  /** Returns the named grant. */
  Grant grant() {
    return argument(() -> new Grant(Subject.parse(subject), named(), targetOf(named(), target)));
  }

  private Permission named() {
    return Permission.parse(permission);
  }

  /** Returns the target of a permission; one for streams needs a text. */
  static Target targetOf(Permission permission, Optional<String> text) {
    if (!permission.isForStreams()) {
      if (text.isPresent()) {
        throw new IllegalArgumentException(
            "the permission %s has no target, but here it is %s"
                .formatted(permission.text(), text.get()));
      }
      return Target.Whole.WHOLE;
    }
    return Target.parse(
        text.orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the permission %s needs the streams as its target, such as 'orders/*'"
                        .formatted(permission.text()))));
  }

  /** Turns wrong arguments into a failure of the command line. */
  static <T> T argument(Supplier<T> parsed) {
    try {
      return parsed.get();
    } catch (IllegalArgumentException wrong) {
      throw new CommandException(ExitCode.USAGE, String.valueOf(wrong.getMessage()));
    }
  }
}
