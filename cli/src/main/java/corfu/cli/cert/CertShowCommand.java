package corfu.cli.cert;

import corfu.cli.command.ExitCode;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.pki.CertificateAuthority;
import corfu.pki.CertificateInfo;
import corfu.pki.IssuedCertificate;
import corfu.world.RealWorld;
import corfu.world.World;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "show",
    description =
        "Prints the certificates in a file, or those of an authority: its own, and the newest of"
            + " each name. Warns of those with fewer than 30 days left, and of authorities with"
            + " fewer than 180. Never prints a key.",
    footer = {
      "",
      "Examples:",
      "  corfu cert show pki/certificates/n1.pem",
      "  corfu cert show --dir pki --json"
    })
final class CertShowCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final OutputOptions style = new OutputOptions();

  @ArgGroup(multiplicity = "1")
  private Source source = new Source();

  /** A file or a directory. */
  private static final class Source {
    @Parameters(paramLabel = "FILE", arity = "1", description = "A file in PEM format.")
    private Optional<Path> file = Optional.empty();

    @Option(
        names = "--dir",
        paramLabel = "PKI",
        required = true,
        description = "Directory of a certificate authority.")
    private Optional<Path> directory = Optional.empty();
  }

  CertShowCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var world = new RealWorld();
        var out = new CommandOutput(terminal.out())) {
      CertificatePrinter printer = new CertificatePrinter(terminal, world);
      if (source.file.isPresent()) {
        Path file = source.file.get();
        for (CertificateInfo info : CertificateAuthority.inspect(file)) {
          show(out, printer, file.toString(), info);
          printer.warn(file.toString(), info, "renew it");
        }
      } else {
        showAll(source.directory.orElseThrow(), out, printer, world);
      }
      return ExitCode.OK;
    }
  }

  private void showAll(Path directory, CommandOutput out, CertificatePrinter printer, World world) {
    CertificateAuthority authority = CertificateAuthority.open(directory, world);
    List<CertificateInfo> authorities = authority.authorities();
    authorities.forEach(info -> show(out, printer, "authority", info));
    // The newest signs. An older one may end.
    printer.warn(
        "the authority", authorities.getFirst(), "corfu cert init --add --dir " + directory);
    for (IssuedCertificate issued : authority.issued()) {
      if (style.json()) {
        out.json(json -> printer.write(json, issued));
      } else {
        out.line(
            printer.text(issued.name() + (issued.isRevoked() ? " (revoked)" : ""), issued.info()));
      }
      if (!issued.isRevoked()) {
        printer.warn(
            issued.name(),
            issued.info(),
            "corfu cert renew %s --dir %s".formatted(issued.name(), directory));
      }
    }
  }

  private void show(
      CommandOutput out, CertificatePrinter printer, String title, CertificateInfo info) {
    if (style.json()) {
      out.json(json -> printer.write(json, info));
    } else {
      out.line(printer.text(title, info));
    }
  }
}
