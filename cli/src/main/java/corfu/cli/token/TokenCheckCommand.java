package corfu.cli.token;

import static corfu.cli.cert.PkiDirectoryOption.argument;
import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.pki.tokens.TokenCheck;
import corfu.pki.tokens.TokenClaims;
import corfu.pki.tokens.TokenVerifier;
import corfu.world.RealWorld;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "check",
    description = "Reads a token from standard input, checks it as servers do, and prints it.",
    footer = {
      "",
      "Example:",
      "  corfu token check --keys token-keys.pem --name prod   with the token as input"
    })
final class TokenCheckCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--keys",
      paramLabel = "FILE",
      required = true,
      description = "The authority's file token-keys.pem.")
  private Path keys = Path.of("token-keys.pem");

  @Option(
      names = "--name",
      paramLabel = "CLUSTER",
      required = true,
      description = "Name of the cluster, as in corfu cert init.")
  private String name = "";

  @Option(
      names = "--audience",
      paramLabel = "NAME",
      description = "Cluster or service for which the token is (default: CLUSTER).")
  private Optional<String> audience = Optional.empty();

  TokenCheckCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    try (var world = new RealWorld()) {
      TokenVerifier verifier =
          argument(() -> TokenVerifier.of(keys, name, audience.orElse(name), world));
      byte[] input = terminal.in().readNBytes(TokenVerifier.MAX_CHARACTERS + 2);
      return switch (verifier.verify(new String(input, UTF_8).strip())) {
        case TokenCheck.Valid(TokenClaims claims) -> {
          style.print(
              terminal,
              "%s, for %s, until %s"
                  .formatted(claims.subject(), claims.audience(), claims.expiresAt()),
              json -> {
                json.writeStringField("subject", claims.subject().toString());
                json.writeStringField("issuer", claims.issuer().toString());
                json.writeStringField("audience", claims.audience());
                json.writeStringField("issuedAt", claims.issuedAt().toString());
                json.writeStringField("expiresAt", claims.expiresAt().toString());
                json.writeStringField("tokenId", claims.tokenId());
              });
          yield ExitCode.OK;
        }
        case TokenCheck.Refused(TokenCheck.Reason reason) ->
            throw new CommandException(ExitCode.FAILED, reason.toString());
      };
    }
  }
}
