package corfu.cli.audit;

import static corfu.cli.audit.AuditArguments.argument;

import corfu.access.audit.AuditAnchor;
import corfu.access.audit.AuditBreak;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.runtime.access.AuditLog;
import corfu.runtime.access.AuditVerification;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "verify",
    description = {
      "Checks that no record of the audit log was changed, removed, added or moved.",
      "Each record names the hash of the one before it. The command prints the newest record's"
          + " address and hash. Keep them outside the cluster, and give them to --from later: so"
          + " nobody can remove the newest records unseen. The exit status is 1 at a break."
    },
    footer = {
      "",
      "Examples:",
      "  corfu audit verify --dir /tmp/c",
      "  corfu audit verify --from 17:HASH --dir /tmp/c"
    })
final class AuditVerifyCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--from",
      paramLabel = "ADDRESS:HASH",
      description = "A record to begin with (default: the first remaining one).")
  private Optional<String> from = Optional.empty();

  AuditVerifyCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Optional<AuditAnchor> known = from.map(text -> argument(() -> AuditAnchor.parse(text)));
    try (var corfu = connection.connect()) {
      AuditVerification result = AuditLog.over(corfu).verify(known);
      style.print(
          terminal,
          text(result),
          json -> {
            json.writeBooleanField("whole", result.isWhole());
            json.writeNumberField("records", result.records());
            if (result.newest().isPresent()) {
              json.writeStringField("newest", result.newest().get().toString());
            }
            json.writeArrayFieldStart("breaks");
            for (AuditBreak one : result.breaks()) {
              json.writeStartObject();
              json.writeNumberField("address", one.address());
              json.writeStringField("reason", one.reason());
              json.writeEndObject();
            }
            json.writeEndArray();
          });
      return result.isWhole() ? ExitCode.OK : ExitCode.FAILED;
    }
  }

  private static String text(AuditVerification result) {
    String newest =
        result.newest().map(record -> "; the newest is " + record).orElse("; the log is empty");
    if (result.isWhole()) {
      return "%,d records, one unbroken chain%s".formatted(result.records(), newest);
    }
    return result.breaks().stream()
            .map(
                one ->
                    "the chain is broken at address %d: %s\n"
                        .formatted(one.address(), one.reason()))
            .collect(Collectors.joining())
        + "%,d records, a broken chain%s".formatted(result.records(), newest);
  }
}
