package corfu.cli.connection;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.pki.CertificateAuthority;
import corfu.pki.PkiException;
import corfu.transport.tls.ClientCertificates;
import corfu.transport.tls.HostNameCheck;
import corfu.transport.tls.TlsEngine;
import corfu.transport.tls.TlsMode;
import corfu.transport.tls.TlsOptions;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of a connection's TLS. They name files; no secret is ever on a command line. */
public final class TlsClientOptions {

  /** The id of an administrator, as {@code corfu cert} issues it. */
  private static final String ADMINISTRATORS = "/admin/";

  @Option(
      names = "--tls",
      paramLabel = "MODE",
      description =
          "Encryption of connections: required, optional or off (default: the environment's"
              + " CORFU_TLS, or required if certificates are named).")
  private Optional<TlsMode> mode = Optional.empty();

  @Option(
      names = "--tls-dir",
      paramLabel = "DIR",
      description =
          "Directory of corfu cert, with the authorities and the certificate of an administrator"
              + " (default: the environment's CORFU_TLS_DIR).")
  private Optional<Path> directory = Optional.empty();

  @Option(
      names = "--tls-ca",
      paramLabel = "FILE",
      description =
          "Trusted authorities, in PEM format (default: the environment's CORFU_TLS_CA, or those"
              + " of the cluster in --dir).")
  private Optional<Path> authorities = Optional.empty();

  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      description =
          "Certificate of this client, in PEM format (default: the environment's CORFU_TLS_CERT).")
  private Optional<Path> certificate = Optional.empty();

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description =
          "Private key of the certificate, if it is in a file of its own (default: the"
              + " environment's CORFU_TLS_KEY).")
  private Optional<Path> key = Optional.empty();

  @Option(
      names = "--tls-trust-domain",
      paramLabel = "NAME",
      description =
          "Trust domain that the SPIFFE ids of servers must have: spiffe://NAME/... (default: the"
              + " environment's CORFU_TLS_TRUST_DOMAIN, or any).")
  private Optional<String> trustDomain = Optional.empty();

  @Option(
      names = "--default-tls-trust-domain",
      hidden = true,
      defaultValue = "${CORFU_TLS_TRUST_DOMAIN}")
  private Optional<String> defaultTrustDomain = Optional.empty();

  @Option(names = "--default-tls", hidden = true, defaultValue = "${CORFU_TLS}")
  private Optional<TlsMode> defaultMode = Optional.empty();

  @Option(names = "--default-tls-dir", hidden = true, defaultValue = "${CORFU_TLS_DIR}")
  private Optional<Path> defaultDirectory = Optional.empty();

  @Option(names = "--default-tls-ca", hidden = true, defaultValue = "${CORFU_TLS_CA}")
  private Optional<Path> defaultAuthorities = Optional.empty();

  @Option(names = "--default-tls-cert", hidden = true, defaultValue = "${CORFU_TLS_CERT}")
  private Optional<Path> defaultCertificate = Optional.empty();

  @Option(names = "--default-tls-key", hidden = true, defaultValue = "${CORFU_TLS_KEY}")
  private Optional<Path> defaultKey = Optional.empty();

  /**
   * Returns the TLS of a connection. The command line comes first, then what the cluster's
   * configuration says, and then the environment.
   *
   * @param configured the TLS by the configuration of a cluster on this machine, if it is one
   */
  public TlsOptions options(Optional<TlsOptions> configured) {
    TlsOptions files = files(configured);
    Optional<String> domain = trustDomain.or(() -> defaultTrustDomain);
    try {
      return domain.map(files::withTrustDomain).orElse(files);
    } catch (IllegalArgumentException wrong) {
      throw new CommandException(
          ExitCode.USAGE, "--tls-trust-domain: %s".formatted(wrong.getMessage()));
    }
  }

  private TlsOptions files(Optional<TlsOptions> configured) {
    boolean isNamed = !namedFiles().isEmpty();
    if (!isNamed && configured.isPresent()) {
      return configured.get();
    }
    if (!isNamed) {
      mode = defaultMode;
      directory = defaultDirectory;
      authorities = defaultAuthorities;
      certificate = defaultCertificate;
      key = defaultKey;
    }
    if (mode().equals(TlsMode.OFF)) {
      return TlsOptions.OFF;
    }
    try {
      return named(configured.map(TlsOptions::authorities).orElse(List.of()));
    } catch (IllegalArgumentException wrong) {
      throw new CommandException(
          ExitCode.USAGE, "%s (--tls-ca, --tls-cert, --tls-key)".formatted(wrong.getMessage()));
    }
  }

  /** Returns the TLS of a connection to servers that no configuration names. */
  public TlsOptions options() {
    return options(Optional.empty());
  }

  private TlsMode mode() {
    if (mode.isEmpty()) {
      boolean hasFiles =
          directory.isPresent() || authorities.isPresent() || certificate.isPresent();
      return hasFiles ? TlsMode.REQUIRED : TlsMode.OFF;
    }
    return mode.get();
  }

  /**
   * Returns the TLS by the options.
   *
   * @param configured the authorities to trust if no option names any
   */
  private TlsOptions named(List<Path> configured) {
    List<Path> trusted = new ArrayList<>();
    authorities.or(() -> directory.map(home -> home.resolve("ca.pem"))).ifPresent(trusted::add);
    if (trusted.isEmpty()) {
      trusted.addAll(configured);
    }
    if (trusted.isEmpty()) {
      throw new CommandException(
          ExitCode.USAGE,
          "TLS needs the authorities to trust: --tls-ca FILE, or --tls-dir DIR of corfu cert");
    }
    Optional<Path> own = certificate.or(() -> directory.map(TlsClientOptions::administrator));
    return new TlsOptions(
        mode(),
        own,
        own.map(file -> key.orElse(file)),
        trusted,
        directory.map(home -> home.resolve("crl.pem")).filter(Files::exists),
        ClientCertificates.REQUIRED,
        Optional.empty(),
        HostNameCheck.ON,
        TlsEngine.AUTOMATIC);
  }

  /** Returns the only certificate of an administrator in a directory of {@code corfu cert}. */
  private static Path administrator(Path directory) {
    List<Path> found = new ArrayList<>();
    Path certificates = directory.resolve("certificates");
    try (DirectoryStream<Path> files = Files.newDirectoryStream(certificates, "*.pem")) {
      for (Path file : files) {
        if (isAdministrator(file)) {
          found.add(file);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      throw new CommandException(
          ExitCode.USAGE,
          "--tls-dir: %s cannot be read; name a directory of corfu cert, or files by --tls-ca and"
                  .formatted(certificates)
              + " --tls-cert");
    }
    if (found.size() != 1) {
      throw new CommandException(
          ExitCode.USAGE,
          "%s has %d certificates of administrators; say which one to use: --tls-cert FILE"
              .formatted(certificates, found.size()));
    }
    return found.getFirst();
  }

  private static boolean isAdministrator(Path file) {
    try {
      return CertificateAuthority.inspect(file).stream()
          .findFirst()
          .flatMap(info -> info.id())
          .filter(id -> id.toString().contains(ADMINISTRATORS))
          .isPresent();
    } catch (PkiException unreadable) {
      return false;
    }
  }

  /** Returns the options of the command line, for another process. */
  List<String> given() {
    List<String> arguments = namedFiles();
    trustDomain.ifPresent(name -> arguments.addAll(List.of("--tls-trust-domain", name)));
    return arguments;
  }

  private List<String> namedFiles() {
    List<String> arguments = new ArrayList<>();
    mode.ifPresent(one -> arguments.addAll(List.of("--tls", one.name().toLowerCase(Locale.ROOT))));
    add(arguments, "--tls-dir", directory);
    add(arguments, "--tls-ca", authorities);
    add(arguments, "--tls-cert", certificate);
    add(arguments, "--tls-key", key);
    return arguments;
  }

  private static void add(List<String> arguments, String option, Optional<Path> file) {
    file.ifPresent(path -> arguments.addAll(List.of(option, path.toString())));
  }
}
