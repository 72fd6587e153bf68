package corfu.cli.audit;

import static corfu.cli.audit.AuditArguments.argument;

import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.protocol.Address;
import corfu.runtime.access.AuditLog;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "trim",
    description = {
      "Trims old records of the audit log for ever.",
      "The first remaining record still names the hash of its predecessor, and the newest record"
          + " always stays. The trim is an event of the audit log itself."
    },
    footer = {
      "",
      "Examples:",
      "  corfu audit trim --before 2026-08-01T00:00:00Z --dir /tmp/c",
      "  corfu audit trim --before 4711 --dir /tmp/c"
    })
final class AuditTrimCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--before",
      required = true,
      paramLabel = "PLACE",
      description =
          "First log address or time to keep: 17, or 2026-11-26T06:30:00Z by the servers' clocks.")
  private String before = "";

  AuditTrimCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    AuditPlace place = argument(() -> AuditPlace.parse(before));
    try (var corfu = connection.connect()) {
      AuditLog audit = AuditLog.over(corfu);
      Optional<Address> first =
          switch (place) {
            case AuditPlace.At(var address) -> audit.trim(address);
            case AuditPlace.Since(var time) -> audit.trim(time);
          };
      style.print(
          terminal,
          first
              .map("the audit log begins with the record at address %s"::formatted)
              .orElse("the audit log is empty"),
          json -> {
            if (first.isPresent()) {
              json.writeNumberField("first", first.get().value());
            }
          });
      return ExitCode.OK;
    }
  }
}
