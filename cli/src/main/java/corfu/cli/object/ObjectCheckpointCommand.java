package corfu.cli.object;

import corfu.cli.command.ExitCode;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.objects.ReplicatedObjects;
import corfu.protocol.Address;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "checkpoint",
    description = {
      "Writes a checkpoint of an object's state, so that clients open the object faster.",
      "The command prints the log address of the state. It deletes no history."
    },
    footer = {"", "Example:", "  corfu object checkpoint accounts --dir /tmp/c"})
final class ObjectCheckpointCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ObjectTarget object = new ObjectTarget();
  @Mixin private final OutputOptions style = new OutputOptions();

  ObjectCheckpointCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var corfu = object.connect()) {
      ReplicatedObjects objects = KindOptions.objects(corfu);
      Address of = objects.checkpoint(object.kind(objects).open(objects, object.name()));
      style.print(
          terminal,
          of.toString(),
          json -> {
            json.writeStringField("object", object.name().text());
            json.writeNumberField("address", of.value());
          });
      return ExitCode.OK;
    }
  }
}
