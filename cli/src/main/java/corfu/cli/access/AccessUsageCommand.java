package corfu.cli.access;

import corfu.access.Quota;
import corfu.access.quota.QuotaTotal;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.protocol.Identity;
import corfu.runtime.access.AccessControl;
import corfu.runtime.access.QuotaReport;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "usage",
    description = {
      "Prints how much of their quotas identities use.",
      "Rates are those of the last second. Stored entries count as of some seconds ago. Identities"
          + " without a quota are not counted. The exit status is 12 if a server does not answer."
    },
    footer = {
      "",
      "Examples:",
      "  corfu access usage --dir /tmp/c",
      "  corfu access usage --json --dir /tmp/c"
    })
final class AccessUsageCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  AccessUsageCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var corfu = connection.connect();
        var out = new CommandOutput(terminal.out())) {
      AccessControl control = AccessControl.over(corfu, Identity.ANONYMOUS);
      QuotaReport report = control.quotas();
      var policy = control.policy();
      for (QuotaTotal total : report.totals()) {
        print(total, policy.quotaOf(total.identity()), out);
      }
      report
          .silent()
          .forEach(
              server ->
                  terminal.note(
                      "corfu: the server at %s did not tell the use there".formatted(server)));
      return report.silent().isEmpty() ? ExitCode.OK : ExitCode.PARTLY_DONE;
    }
  }

  private void print(QuotaTotal total, Quota quota, CommandOutput out) {
    if (style.json()) {
      out.json(
          json -> {
            json.writeStringField("identity", total.identity().name());
            for (QuotaLimit limit : QuotaLimit.values()) {
              json.writeObjectFieldStart(limit.member());
              json.writeNumberField("used", limit.usedIn(total));
              if (limit.isSetIn(quota)) {
                json.writeNumberField("limit", limit.of(quota));
              }
              json.writeEndObject();
            }
          });
      return;
    }
    out.line(total.identity().name());
    for (QuotaLimit limit : QuotaLimit.values()) {
      String most = limit.isSetIn(quota) ? " of " + limit.of(quota) : "";
      out.line("  %-19s %d%s".formatted(limit.text(), limit.usedIn(total), most));
    }
  }
}
