package corfu.cli.disk;

import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.disk.DiskEvent;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "history",
    description =
        "Prints the events of a disk, the oldest first: time, version, event, process, and details."
            + " The newest 1,000 are kept.",
    footer = {"", "Example:", "  corfu disk history vm --dir /tmp/c"})
final class DiskHistoryCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(paramLabel = "NAME", description = "Name of the disk.")
  private String name = "";

  DiskHistoryCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var session = DiskSession.open(connection);
        var out = new CommandOutput(terminal.out())) {
      for (DiskEvent event : DiskSession.valueOf(() -> session.disks().history(name))) {
        print(out, event);
      }
      return ExitCode.OK;
    }
  }

  private void print(CommandOutput out, DiskEvent event) {
    String time = Instant.ofEpochMilli(event.timeMillis()).toString();
    String kind = event.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    if (style.json()) {
      out.json(
          json -> {
            json.writeStringField("time", time);
            json.writeNumberField("version", event.version());
            json.writeStringField("event", kind);
            json.writeStringField("by", event.by());
            json.writeStringField("detail", event.detail());
          });
    } else {
      out.line(
          "%s\t%d\t%s\t%s\t%s"
              .formatted(time, event.version(), kind, event.by(), event.detail())
              .stripTrailing());
    }
  }
}
