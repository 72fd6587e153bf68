package corfu.cli.token;

import corfu.cli.command.CommandGroup;
import corfu.cli.output.HelpOption;
import corfu.cli.output.Terminal;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "token",
    description = {
      "Issues short-lived tokens, which prove an identity to servers that speak HTTP.",
      "A certificate authority's directory has the keys. Servers need its file token-keys.pem."
    },
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  corfu token issue --for spiffe://prod/client/app --ttl 15m --dir pki",
      "  corfu token rotate --dir pki"
    })
public final class TokenCommand implements CommandGroup {

  public TokenCommand(Terminal terminal) {}

  @SuppressWarnings("UnusedVariable") // picocli looks at it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Override
  public Collection<Object> subcommands(Terminal terminal) {
    return List.of(
        new TokenIssueCommand(terminal),
        new TokenCheckCommand(terminal),
        new TokenRotateCommand(terminal));
  }
}
