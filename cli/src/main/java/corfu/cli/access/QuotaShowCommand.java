package corfu.cli.access;

import corfu.access.AccessPolicy;
import corfu.access.Quota;
import corfu.access.Subject;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.protocol.Identity;
import corfu.runtime.access.AccessControl;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "show",
    description = {
      "Lists the quotas of the cluster, or prints that of one identity.",
      "The use beside the limits: corfu access usage."
    },
    footer = {
      "",
      "Examples:",
      "  corfu access quota show --dir /tmp/c",
      "  corfu access quota show spiffe://prod/app --dir /tmp/c"
    })
final class QuotaShowCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "IDENTITY",
      description = "Identity of a client. Its quota may be that of a prefix or of its roles.")
  private Optional<String> identity = Optional.empty();

  QuotaShowCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Optional<Identity> whose =
        identity.map(name -> GrantParameters.argument(() -> new Identity(name)));
    try (var corfu = connection.connect();
        var out = new CommandOutput(terminal.out())) {
      AccessPolicy policy = AccessControl.over(corfu, Identity.ANONYMOUS).policy();
      if (whose.isPresent()) {
        print(whose.get().name(), policy.quotaOf(whose.get()), out);
      } else {
        policy
            .quotas()
            .forEach((Subject subject, Quota quota) -> print(subject.text(), quota, out));
      }
      return ExitCode.OK;
    }
  }

  private void print(String subject, Quota quota, CommandOutput out) {
    if (style.json()) {
      out.json(
          json -> {
            json.writeStringField("subject", subject);
            for (QuotaLimit limit : QuotaLimit.values()) {
              if (limit.isSetIn(quota)) {
                json.writeNumberField(limit.member(), limit.of(quota));
              }
            }
          });
      return;
    }
    StringBuilder line = new StringBuilder("quota ").append(subject);
    for (QuotaLimit limit : QuotaLimit.values()) {
      if (limit.isSetIn(quota)) {
        line.append(' ').append(limit.text()).append(' ').append(limit.of(quota));
      }
    }
    out.line(quota.equals(Quota.UNLIMITED) ? line + " none" : line.toString());
  }
}
