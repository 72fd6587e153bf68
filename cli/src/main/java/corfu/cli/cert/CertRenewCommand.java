package corfu.cli.cert;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.pki.CertificateAuthority;
import corfu.pki.IssuedCertificate;
import corfu.pki.PkiException;
import corfu.world.RealWorld;
import corfu.world.World;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "renew",
    description = {
      "Replaces certificates by new ones with the same names, hosts and days.",
      "The file, and the key in it, are replaced at once. A server reads them within a second."
    },
    footer = {
      "",
      "Examples:",
      "  corfu cert renew n1 --dir pki",
      "  corfu cert renew --all --within 30d --dir pki   for a daily job"
    })
final class CertRenewCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final PkiDirectoryOption pki = new PkiDirectoryOption();
  @Mixin private final OutputOptions style = new OutputOptions();

  @ArgGroup(multiplicity = "1")
  private Names names = new Names();

  @Option(
      names = "--within",
      paramLabel = "DAYS",
      converter = Days.class,
      description = "Only those that end within these days, as 30d.")
  private Optional<Duration> within = Optional.empty();

  @Option(
      names = "--csr",
      paramLabel = "FILE",
      description = "For one name: certify the key of this signing request.")
  private Optional<Path> signingRequest = Optional.empty();

  /** Names, or all of them. */
  private static final class Names {
    @Parameters(paramLabel = "NAME", arity = "1..*", description = "Names of certificates.")
    private List<String> some = List.of();

    @Option(names = "--all", required = true, description = "All that are not revoked.")
    private boolean all;
  }

  CertRenewCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (signingRequest.isPresent() && names.some.size() != 1) {
      throw new CommandException(ExitCode.USAGE, "--csr is for one name; give that name");
    }
    try (var world = new RealWorld();
        var out = new CommandOutput(terminal.out())) {
      CertificateAuthority authority = pki.open(world);
      CertificatePrinter printer = new CertificatePrinter(terminal, world);
      List<String> wanted = wanted(authority, world);
      for (int i = 0; i < wanted.size(); i++) {
        IssuedCertificate renewed = renew(authority, wanted, i);
        if (style.json()) {
          out.json(json -> printer.write(json, renewed));
        } else {
          out.line(CertIssueCommand.text("renewed", renewed));
        }
      }
      if (wanted.isEmpty() && !style.json()) {
        out.line("no certificate needs to be renewed");
      }
      return ExitCode.OK;
    }
  }

  private List<String> wanted(CertificateAuthority authority, World world) {
    Instant now = Instant.ofEpochMilli(world.wallTimeMillis());
    List<IssuedCertificate> issued = authority.issued();
    List<String> known =
        names.all
            ? issued.stream().filter(one -> !one.isRevoked()).map(IssuedCertificate::name).toList()
            : names.some;
    return known.stream()
        .filter(
            name ->
                within.isEmpty()
                    || issued.stream()
                        .filter(one -> one.name().equals(name))
                        .allMatch(one -> one.info().validTo().isBefore(now.plus(within.get()))))
        .toList();
  }

  private IssuedCertificate renew(CertificateAuthority authority, List<String> wanted, int i) {
    try {
      return signingRequest.isPresent()
          ? authority.renew(
              wanted.get(i), CertificateAuthority.readSigningRequest(signingRequest.get()))
          : authority.renew(wanted.get(i));
    } catch (PkiException failure) {
      if (i == 0) {
        throw failure;
      }
      throw new CommandException(
          ExitCode.PARTLY_DONE,
          "renewed %d of %d certificates; the next one failed: %s"
              .formatted(i, wanted.size(), failure.getMessage()),
          failure);
    }
  }
}
