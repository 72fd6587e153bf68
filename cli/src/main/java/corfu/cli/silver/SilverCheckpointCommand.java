package corfu.cli.silver;

import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.silver.CheckpointResult;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "checkpoint",
    description = {
      "Gives up the history of a file system before a version, and frees the space of all that no"
          + " remaining version needs. Clones keep what they share.",
      "Mounts may go on meanwhile. If the command ends before its time, run it again."
    },
    footer = {"", "Example:", "  corfu silver checkpoint project@1200 --dir /tmp/c"})
final class SilverCheckpointCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(
      paramLabel = "NAME[@V]",
      description =
          "Name of the file system, with the oldest version that stays (default: the current one).")
  private String name = "";

  SilverCheckpointCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Target target = Target.parseWhole(name);
    try (var session = Session.open(connection)) {
      var unused = session.open(target);
      var progress = new CheckpointProgressLines(terminal);
      CheckpointResult result =
          Session.valueOf(
              session
                  .silver()
                  .checkpoint(target.name(), target.version(), session.caller(), progress),
              "give up the history of",
              target);
      style.print(
          terminal,
          "the oldest version of %s is %d; %s"
              .formatted(target.name(), result.oldest(), CheckpointProgressLines.freed(result)),
          json -> {
            json.writeStringField("name", target.name());
            json.writeNumberField("oldest", result.oldest());
            CheckpointProgressLines.write(result, json);
          });
      return ExitCode.OK;
    }
  }
}
