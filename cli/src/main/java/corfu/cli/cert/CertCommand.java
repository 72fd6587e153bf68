package corfu.cli.cert;

import corfu.cli.command.CommandGroup;
import corfu.cli.output.HelpOption;
import corfu.cli.output.Terminal;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "cert",
    description = {
      "Makes certificates for TLS by an authority of your own, in a directory.",
      "Servers and clients need ca.pem, crl.pem and their own file NAME.pem, which has a"
          + " certificate and its key. The directory itself stays with the person who issues"
          + " certificates."
    },
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  corfu cert init --dir pki --name prod",
      "  corfu cert issue n1 --host n1.example.org --dir pki",
      "  corfu cert issue app --client --dir pki",
      "  corfu cert renew --all --within 30d --dir pki",
      "  corfu cert show --dir pki"
    })
public final class CertCommand implements CommandGroup {

  public CertCommand(Terminal terminal) {}

  @SuppressWarnings("UnusedVariable") // picocli looks at it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Override
  public Collection<Object> subcommands(Terminal terminal) {
    return List.of(
        new CertInitCommand(terminal),
        new CertIssueCommand(terminal),
        new CertRenewCommand(terminal),
        new CertRevokeCommand(terminal),
        new CertRetireCommand(terminal),
        new CertShowCommand(terminal));
  }
}
