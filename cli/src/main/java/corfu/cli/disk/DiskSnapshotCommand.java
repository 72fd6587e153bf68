package corfu.cli.disk;

import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.disk.DiskSnapshot;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "snapshot",
    description = {
      "Takes a snapshot of a disk. This is one entry of the log, whatever the size.",
      "The snapshot has all writes that were flushed, also of a disk that is in use. To have those"
          + " that a file system holds in memory, freeze or sync it before."
    },
    footer = {"", "Example:", "  corfu disk snapshot vm fresh --dir /tmp/c"})
final class DiskSnapshotCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(index = "0", paramLabel = "NAME", description = "Name of the disk.")
  private String name = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "SNAPSHOT",
      description = "Name of the snapshot (default: the time in UTC).")
  private Optional<String> snapshot = Optional.empty();

  DiskSnapshotCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var session = DiskSession.open(connection)) {
      DiskSnapshot taken = DiskSession.valueOf(() -> session.disks().snapshot(name, snapshot));
      style.print(
          terminal,
          "%s@%s is version %s".formatted(name, taken.name(), taken.version()),
          json -> {
            json.writeStringField("name", name);
            json.writeStringField("snapshot", taken.name());
            json.writeNumberField("version", taken.version().value());
          });
      return ExitCode.OK;
    }
  }
}
