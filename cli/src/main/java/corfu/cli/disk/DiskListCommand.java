package corfu.cli.disk;

import com.fasterxml.jackson.core.JsonGenerator;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.cli.output.Units;
import corfu.disk.DiskSnapshot;
import corfu.disk.DiskStatus;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "list",
    description =
        "Lists the disks: name, size, used space, server, origin of a clone, and snapshots. Used"
            + " space is that of the newest version, shared parts of clones included.",
    footer = {"", "Example:", "  corfu disk list --dir /tmp/c"})
final class DiskListCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  DiskListCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var session = DiskSession.open(connection);
        var out = new CommandOutput(terminal.out())) {
      for (DiskStatus disk : session.disks().list()) {
        Optional<String> owner = session.disks().owner(disk.name());
        long used = session.disks().usedBytes(disk.name()); // last: it gives up the disk's memory
        if (style.json()) {
          out.json(json -> write(json, disk, used, owner));
        } else {
          out.line(line(disk, used, owner));
        }
      }
      return ExitCode.OK;
    }
  }

  private static String line(DiskStatus disk, long used, Optional<String> owner) {
    String snapshots =
        disk.snapshots().stream().map(DiskSnapshot::name).collect(Collectors.joining(","));
    return String.join(
        "\t",
        disk.name(),
        Units.bytes(disk.sizeBytes()),
        Units.bytes(used) + " used",
        owner.map(process -> "served by " + process).orElse("idle"),
        disk.origin().map(origin -> "clone of " + origin).orElse("-"),
        snapshots.isEmpty() ? "-" : snapshots);
  }

  private static void write(JsonGenerator json, DiskStatus disk, long used, Optional<String> owner)
      throws IOException {
    json.writeStringField("name", disk.name());
    json.writeNumberField("sizeBytes", disk.sizeBytes());
    json.writeNumberField("blockBytes", disk.blockBytes());
    json.writeNumberField("usedBytes", used);
    if (owner.isPresent()) {
      json.writeStringField("server", owner.get());
    }
    if (disk.origin().isPresent()) {
      json.writeStringField("origin", disk.origin().get());
    }
    json.writeNumberField("oldest", disk.oldest().value());
    json.writeArrayFieldStart("snapshots");
    for (DiskSnapshot snapshot : disk.snapshots()) {
      json.writeStartObject();
      json.writeStringField("name", snapshot.name());
      json.writeNumberField("version", snapshot.version().value());
      json.writeStringField("time", Instant.ofEpochMilli(snapshot.timeMillis()).toString());
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
