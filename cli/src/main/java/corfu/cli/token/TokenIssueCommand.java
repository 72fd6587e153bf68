package corfu.cli.token;

import static corfu.cli.cert.PkiDirectoryOption.argument;

import corfu.cli.cert.PkiDirectoryOption;
import corfu.cli.command.ExitCode;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.pki.SpiffeId;
import corfu.pki.tokens.TokenIssuer;
import corfu.world.RealWorld;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "issue",
    description = {
      "Prints a new token for an identity. Its bearer has the identity until the token ends.",
      "Keep it out of command lines, which other users see: curl reads a header from a file with"
          + " -H @FILE."
    },
    footer = {
      "",
      "Example:",
      "  corfu token issue --for spiffe://prod/client/app --ttl 15m --dir pki"
    })
final class TokenIssueCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final PkiDirectoryOption pki = new PkiDirectoryOption();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--for",
      paramLabel = "ID",
      required = true,
      description = "Identity of the bearer: spiffe://CLUSTER/client/NAME.")
  private String id = "";

  @Option(
      names = "--ttl",
      paramLabel = "TIME",
      defaultValue = "15m",
      description = "Time for which the token is valid, at most 24h (default: 15m).")
  private Duration ttl = Duration.ofMinutes(15);

  @Option(
      names = "--audience",
      paramLabel = "NAME",
      description = "Cluster or service for which the token is (default: CLUSTER).")
  private Optional<String> audience = Optional.empty();

  TokenIssueCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var world = new RealWorld()) {
      TokenIssuer issuer = TokenIssuer.open(pki.directory(), world);
      String token =
          argument(
              () -> issuer.issue(SpiffeId.parse(id), audience.orElseGet(issuer::trustDomain), ttl));
      style.print(terminal, token, json -> json.writeStringField("token", token));
      return ExitCode.OK;
    }
  }
}
