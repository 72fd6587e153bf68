package corfu.cli.object;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.cli.shell.Kind;
import corfu.cli.shell.Rendering;
import corfu.cli.shell.Shell;
import corfu.objects.ReplicatedObjects;
import corfu.protocol.Address;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "show",
    description = "Prints the state of an object, now or at an earlier log address.",
    footer = {
      "",
      "Examples:",
      "  corfu object show accounts --dir /tmp/c",
      "  corfu object show accounts --at 17 --dir /tmp/c   its state at address 17"
    })
final class ObjectShowCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ObjectTarget object = new ObjectTarget();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--at",
      paramLabel = "ADDRESS",
      description = "Log address of the state (default: the tail).")
  private Optional<Address> at = Optional.empty();

  ObjectShowCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var corfu = object.connect()) {
      ReplicatedObjects objects = KindOptions.objects(corfu);
      Kind kind = object.kind(objects);
      Object opened =
          at.isPresent()
              ? kind.open(objects.at(checked(at.get(), corfu.log().tail())), object.name())
              : kind.open(objects, object.name());
      Object state = Shell.stateOf(opened);
      style.print(
          terminal,
          Rendering.of(state),
          json -> {
            json.writeStringField("object", object.name().text());
            json.writeFieldName("value");
            JsonValues.write(state, json);
          });
      return ExitCode.OK;
    }
  }

  private static Address checked(Address at, Address tail) {
    if (at.compareTo(tail) > 0) {
      throw new CommandException(
          ExitCode.UNWRITTEN, "the log ends at %s: no address %s yet".formatted(tail, at));
    }
    return at;
  }
}
