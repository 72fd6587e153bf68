package corfu.cli.disk;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.disk.DiskTarget;
import corfu.protocol.Address;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "rollback",
    description = {
      "Gives a disk the content that it had. This is one entry of the log, whatever the size.",
      "The versions until now stay readable until their space is reclaimed; take a snapshot before"
          + " to keep the newest one."
    },
    footer = {"", "Example:", "  corfu disk rollback vm@fresh --dir /tmp/c"})
final class DiskRollBackCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();
  @Mixin private final TakeoverOption takeover = new TakeoverOption();

  @Parameters(paramLabel = "NAME@V", description = "Disk, with a snapshot or version.")
  private String name = "";

  DiskRollBackCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    DiskTarget target = DiskSession.target(name);
    if (target.version().isEmpty()) {
      throw new CommandException(
          ExitCode.USAGE,
          "'%s' is the disk as it is; name a snapshot or version, as %s@V".formatted(name, name));
    }
    try (var session = DiskSession.open(connection)) {
      Address version =
          DiskSession.valueOf(() -> session.disks().rollBack(target, takeover.ifInUse()));
      style.print(
          terminal,
          "rolled %s back to %s; this is version %s".formatted(target.name(), target, version),
          json -> {
            json.writeStringField("name", target.name());
            json.writeStringField("to", target.toString());
            json.writeNumberField("version", version.value());
          });
      return ExitCode.OK;
    }
  }
}
