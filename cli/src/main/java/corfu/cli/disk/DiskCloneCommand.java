package corfu.cli.disk;

import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.disk.DiskStatus;
import corfu.disk.DiskTarget;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "clone",
    description =
        "Clones a disk, as it is or as it was. This is one entry of the log, whatever the size."
            + " Later writes of either do not reach the other.",
    footer = {"", "Example:", "  corfu disk clone vm@fresh vm2 --dir /tmp/c"})
final class DiskCloneCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(
      index = "0",
      paramLabel = "NAME[@V]",
      description = "Disk, with a snapshot or version if it is a past one.")
  private String source = "";

  @Parameters(index = "1", paramLabel = "NEW", description = "Name of the clone.")
  private String clone = "";

  DiskCloneCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    DiskTarget from = DiskSession.target(source);
    try (var session = DiskSession.open(connection)) {
      DiskStatus made = DiskSession.valueOf(() -> session.disks().clone(from, clone));
      String origin = made.origin().orElse(source);
      style.print(
          terminal,
          "cloned %s to %s".formatted(origin, clone),
          json -> {
            json.writeStringField("name", clone);
            json.writeStringField("origin", origin);
            json.writeNumberField("sizeBytes", made.sizeBytes());
          });
      return ExitCode.OK;
    }
  }
}
