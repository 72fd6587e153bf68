package corfu.cli.disk;

import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.disk.DiskTarget;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "delete",
    description = {
      "Deletes a snapshot, or a disk with its snapshots. Clones keep their content.",
      "A disk that a server writes is deleted only with --takeover."
    },
    footer = {
      "",
      "Examples:",
      "  corfu disk delete vm@fresh --dir /tmp/c",
      "  corfu disk delete vm --dir /tmp/c"
    })
final class DiskDeleteCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();
  @Mixin private final TakeoverOption takeover = new TakeoverOption();

  @Parameters(paramLabel = "NAME[@SNAPSHOT]", description = "Disk or snapshot.")
  private String name = "";

  DiskDeleteCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    DiskTarget target = DiskSession.target(name);
    try (var session = DiskSession.open(connection)) {
      var unused =
          DiskSession.valueOf(
              () ->
                  target.version().isPresent()
                      ? session.disks().deleteSnapshot(target)
                      : session.disks().delete(target.name(), takeover.ifInUse()));
      style.print(
          terminal,
          "deleted " + target,
          json -> json.writeStringField("deleted", target.toString()));
      return ExitCode.OK;
    }
  }
}
