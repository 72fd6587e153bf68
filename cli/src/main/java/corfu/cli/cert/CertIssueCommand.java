package corfu.cli.cert;

import static corfu.cli.cert.PkiDirectoryOption.argument;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.pki.CertificateAuthority;
import corfu.pki.CertificateProfile;
import corfu.pki.CertificateRequest;
import corfu.pki.IssuedCertificate;
import corfu.pki.SpiffeId;
import corfu.world.RealWorld;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "issue",
    description = {
      "Issues a certificate, with a new key, as one file NAME.pem that only you may read.",
      "The id is spiffe://CLUSTER/server/NAME, .../service/NAME, .../client/NAME or .../admin/NAME."
          + " With --csr, the file has the certificate alone, and the key stays where it is; the"
          + " names of the request are ignored."
    },
    footer = {
      "",
      "Examples:",
      "  corfu cert issue n1 --host n1.example.org --host 10.0.0.1 --dir pki",
      "  corfu cert issue store --service --host store.example.org --dir pki",
      "  corfu cert issue app --client --days 30 --dir pki --out /etc/app",
      "  corfu cert issue alice --admin --csr alice.csr --dir pki"
    })
final class CertIssueCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final PkiDirectoryOption pki = new PkiDirectoryOption();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(paramLabel = "NAME", description = "Name of the certificate: letters, digits, .-_")
  private String name = "";

  @Option(
      names = "--host",
      paramLabel = "HOST",
      description =
          "For a server or service: host name or IP address at which clients reach it; several are"
              + " fine.")
  private List<String> hosts = List.of();

  @Option(
      names = "--service",
      description = "For an application's server, which is none of the cluster's servers.")
  private boolean service;

  @Option(names = "--client", description = "For a client.")
  private boolean client;

  @Option(names = "--admin", description = "For an administrator.")
  private boolean administrator;

  @Option(
      names = "--days",
      paramLabel = "DAYS",
      converter = Days.class,
      defaultValue = "90",
      description = "Days for which the certificate is valid (default: 90).")
  private Duration validity = CertificateRequest.DEFAULT_VALIDITY;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Directory of the file (default: PKI/certificates).")
  private Optional<Path> out = Optional.empty();

  @Option(
      names = "--csr",
      paramLabel = "FILE",
      description = "Certify the key of this signing request (PKCS #10).")
  private Optional<Path> signingRequest = Optional.empty();

  @Option(names = "--id", paramLabel = "ID", description = "Another id: spiffe://CLUSTER/...")
  private Optional<String> id = Optional.empty();

  CertIssueCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var world = new RealWorld()) {
      CertificateAuthority authority = pki.open(world);
      CertificateRequest request =
          argument(
              () ->
                  new CertificateRequest(
                      name,
                      profile(),
                      hosts,
                      validity,
                      id.map(SpiffeId::parse),
                      out,
                      signingRequest.map(CertificateAuthority::readSigningRequest)));
      IssuedCertificate issued = authority.issue(request);
      CertificatePrinter printer = new CertificatePrinter(terminal, world);
      style.print(terminal, text("issued", issued), json -> printer.write(json, issued));
      return ExitCode.OK;
    }
  }

  private CertificateProfile profile() {
    boolean isServer = service || !hosts.isEmpty();
    if (Stream.of(isServer, client, administrator).filter(chosen -> chosen).count() != 1) {
      throw new CommandException(
          ExitCode.USAGE,
          "say what the certificate is for: --host HOST for a server of the cluster, --service"
              + " --host HOST for one of an application, or --client, or --admin");
    }
    if (client) {
      return CertificateProfile.CLIENT;
    }
    if (service) {
      return CertificateProfile.SERVICE;
    }
    return administrator ? CertificateProfile.ADMINISTRATOR : CertificateProfile.SERVER;
  }

  /** Returns one line about a new certificate. */
  static String text(String verb, IssuedCertificate issued) {
    return "%s %s, valid until %s: %s"
        .formatted(
            verb,
            issued.info().id().map(SpiffeId::toString).orElse(issued.name()),
            CertificatePrinter.lastDay(issued.info()),
            issued.file());
  }
}
