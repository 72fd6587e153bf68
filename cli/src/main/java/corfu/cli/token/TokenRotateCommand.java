package corfu.cli.token;

import corfu.cli.cert.PkiDirectoryOption;
import corfu.cli.command.ExitCode;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.pki.tokens.TokenIssuer;
import corfu.world.RealWorld;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "rotate",
    description =
        "Adds a key, which signs from now on. Tokens by the key before it remain valid; a second"
            + " rotation ends them.",
    footer = {"", "Example:", "  corfu token rotate --dir pki"})
final class TokenRotateCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final PkiDirectoryOption pki = new PkiDirectoryOption();
  @Mixin private final OutputOptions style = new OutputOptions();

  TokenRotateCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var world = new RealWorld()) {
      String keyId = TokenIssuer.open(pki.directory(), world).rotate();
      style.print(
          terminal,
          "tokens are signed by the key %s%n  copy %s to all servers"
              .formatted(keyId, pki.directory().resolve("token-keys.pem")),
          json -> json.writeStringField("key", keyId));
      return ExitCode.OK;
    }
  }
}
