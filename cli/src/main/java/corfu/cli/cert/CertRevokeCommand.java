package corfu.cli.cert;

import corfu.cli.command.ExitCode;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.pki.CertificateAuthority;
import corfu.pki.IssuedCertificate;
import corfu.world.RealWorld;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "revoke",
    description = {
      "Revokes all certificates of a name, earlier ones included, or the one with a serial number.",
      "It takes effect where the new crl.pem is read."
    },
    footer = {"", "Example:", "  corfu cert revoke app --dir pki"})
final class CertRevokeCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final PkiDirectoryOption pki = new PkiDirectoryOption();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(
      paramLabel = "NAME|SERIAL",
      description = "Name, or serial number in hexadecimal digits.")
  private String nameOrSerial = "";

  CertRevokeCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var world = new RealWorld();
        var out = new CommandOutput(terminal.out())) {
      CertificateAuthority authority = pki.open(world);
      CertificatePrinter printer = new CertificatePrinter(terminal, world);
      for (IssuedCertificate revoked : authority.revoke(nameOrSerial)) {
        if (style.json()) {
          out.json(json -> printer.write(json, revoked));
        } else {
          out.line("revoked %s, serial %s".formatted(revoked.name(), revoked.info().serial()));
        }
      }
      if (!style.json()) {
        out.line("  copy %s to all servers and clients".formatted(authority.crlFile()));
      }
      return ExitCode.OK;
    }
  }
}
