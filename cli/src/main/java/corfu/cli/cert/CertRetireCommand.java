package corfu.cli.cert;

import corfu.cli.command.ExitCode;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.pki.CertificateAuthority;
import corfu.pki.CertificateInfo;
import corfu.world.RealWorld;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "retire",
    description =
        "Takes the older of two authorities out of ca.pem, and deletes its key. Its certificates"
            + " are refused where the new ca.pem is read.",
    footer = {"", "Example:", "  corfu cert retire 3f2a9c00 --dir pki"})
final class CertRetireCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final PkiDirectoryOption pki = new PkiDirectoryOption();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(
      paramLabel = "FINGERPRINT",
      description = "First 8 or more digits of the authority's fingerprint: see corfu cert show.")
  private String fingerprint = "";

  @Option(
      names = "--force",
      description = "Do it although certificates of this authority are in use.")
  private boolean force;

  CertRetireCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var world = new RealWorld()) {
      CertificateAuthority authority = pki.open(world);
      CertificateInfo retired = authority.retire(fingerprint, force);
      style.print(
          terminal,
          "retired the authority %s%n  copy %s, then %s, to all servers and clients"
              .formatted(retired.fingerprint(), authority.crlFile(), authority.caFile()),
          json -> new CertificatePrinter(terminal, world).write(json, retired));
      return ExitCode.OK;
    }
  }
}
