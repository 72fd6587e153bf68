package corfu.cli.object;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.shell.Kind;
import corfu.cli.shell.Kinds;
import corfu.cli.shell.ObjectName;
import corfu.cli.shell.ShellException;
import corfu.objects.ReplicatedObjects;
import corfu.runtime.Corfu;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options that name an object and its type. */
final class ObjectTarget {

  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final KindOptions kinds = new KindOptions();

  @Parameters(paramLabel = "NAME", description = "Name of the object, or id:UUID.")
  private String name = "";

  @Option(
      names = "--as",
      paramLabel = "KIND",
      description =
          "Type of the object: a collection, or the full name of a class (default: its known"
              + " type).")
  private Optional<String> as = Optional.empty();

  Corfu connect() {
    return connection.connect();
  }

  ObjectName name() {
    try {
      return ObjectName.parse(name);
    } catch (ShellException e) {
      throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }

  Kind kind(ReplicatedObjects objects) {
    Kinds known = kinds.kinds();
    ObjectName object = name();
    try {
      return as.isPresent()
          ? known.named(as.get())
          : known.of(
              object,
              objects,
              "Say what it is: --as KIND, where KIND is %s, or a class of --class-path"
                  .formatted(String.join(", ", known.names())));
    } catch (ShellException e) {
      throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }
}
