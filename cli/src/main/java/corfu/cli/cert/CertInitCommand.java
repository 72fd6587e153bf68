package corfu.cli.cert;

import static corfu.cli.cert.PkiDirectoryOption.argument;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.pki.CertificateAuthority;
import corfu.pki.CertificateInfo;
import corfu.world.RealWorld;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "init",
    description = {
      "Creates a certificate authority in a directory that only you may enter.",
      "With --add, a new authority follows the present one: ca.pem has both, and the new one signs."
    },
    footer = {
      "",
      "Examples:",
      "  corfu cert init --dir pki --name prod",
      "  corfu cert init --dir pki --add"
    })
final class CertInitCommand implements Callable<Integer> {

  private static final String DEFAULT_NAME = "corfu";

  private final Terminal terminal;
  @Mixin private final PkiDirectoryOption pki = new PkiDirectoryOption();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--name",
      paramLabel = "CLUSTER",
      description =
          "Name of the cluster. Ids begin with it: spiffe://CLUSTER/server/n1 (default: corfu).")
  private Optional<String> name = Optional.empty();

  @Option(
      names = "--days",
      paramLabel = "DAYS",
      converter = Days.class,
      defaultValue = "3650",
      description = "Days for which the authority is valid (default: 3650).")
  private Duration validity = CertificateAuthority.DEFAULT_VALIDITY;

  @Option(names = "--add", description = "Add an authority that follows the present one.")
  private boolean add;

  CertInitCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (add && name.isPresent()) {
      throw new CommandException(
          ExitCode.USAGE, "an added authority has the name of the present one; leave --name out");
    }
    try (var world = new RealWorld()) {
      CertificateAuthority authority =
          add
              ? pki.open(world)
              : argument(
                  () ->
                      CertificateAuthority.create(
                          pki.directory(), name.orElse(DEFAULT_NAME), validity, world));
      CertificateInfo created =
          add ? authority.addAuthority(validity) : authority.authorities().getFirst();
      style.print(
          terminal,
          text(authority, created),
          json -> {
            json.writeStringField("caFile", authority.caFile().toString());
            json.writeStringField("crlFile", authority.crlFile().toString());
            new CertificatePrinter(terminal, world).write(json, created);
          });
      return ExitCode.OK;
    }
  }

  private String text(CertificateAuthority authority, CertificateInfo created) {
    String text =
        "%s an authority for spiffe://%s, valid until %s%n  fingerprint  %s%n  trusted by peers that have %s"
            .formatted(
                add ? "added" : "created",
                authority.trustDomain(),
                CertificatePrinter.lastDay(created),
                created.fingerprint(),
                authority.caFile());
    return add
        ? text
            + "%n  copy that file, then %s, to all servers and clients before you issue or renew"
                .formatted(authority.crlFile())
        : text;
  }
}
