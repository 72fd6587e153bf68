package corfu.cli.disk;

import corfu.cli.argument.InsecureListenOption;
import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.nbd.NbdAddress;
import corfu.nbd.NbdServerOptions;
import corfu.nbd.NbdTls;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The address and the security of a server of disks. */
final class DiskListenOptions {

  private static final int LARGEST_PORT = 65_535;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Port to listen on, 0 to 65535; 0 means any free one (default: 10809).")
  private Optional<Integer> port = Optional.empty();

  @Option(
      names = "--host",
      paramLabel = "HOST",
      defaultValue = "127.0.0.1",
      description =
          "Address to listen on, a name or an IP address; 0.0.0.0 means all (default:"
              + " ${DEFAULT-VALUE}).")
  private String host = "127.0.0.1";

  @Option(
      names = "--socket",
      paramLabel = "PATH",
      description = "Unix socket to listen on, instead of a port.")
  private Optional<Path> socket = Optional.empty();

  @Option(
      names = "--nbd-tls-key",
      paramLabel = "FILE",
      description = "Private key for TLS, in PEM format; needs --nbd-tls-cert.")
  private Optional<Path> tlsKey = Optional.empty();

  @Option(
      names = "--nbd-tls-cert",
      paramLabel = "FILE",
      description = "Certificate for TLS, followed by those of its issuers, in PEM format.")
  private Optional<Path> tlsCertificate = Optional.empty();

  @Option(
      names = "--nbd-tls-ca",
      paramLabel = "FILE",
      description = "Issuers of clients' certificates, in PEM format: clients need one then.")
  private Optional<Path> tlsAuthorities = Optional.empty();

  @Option(
      names = "--nbd-tls-psk",
      paramLabel = "FILE",
      description =
          "Pre-shared keys for TLS, instead of certificates: a line user:key for each user, the key"
              + " in hexadecimal digits, as psktool writes it.")
  private Optional<Path> tlsKeys = Optional.empty();

  @Option(
      names = "--nbd-tls-optional",
      description = "Also serve clients without TLS (default: TLS is required if it is set up).")
  private boolean tlsOptional;

  @Mixin private final InsecureListenOption insecureListen = new InsecureListenOption();

  @Option(
      names = "--max-connections",
      paramLabel = "N",
      defaultValue = "1024",
      description = "Largest number of connections (default: ${DEFAULT-VALUE}).")
  private int maxConnections = 1024;

  /**
   * Returns the options of the server.
   *
   * @throws CommandException if options do not fit together
   */
  NbdServerOptions server() {
    try {
      NbdServerOptions options = NbdServerOptions.at(address()).with(tls());
      if (options.address() instanceof NbdAddress.Tcp && isPlainServed(options.tls())) {
        insecureListen.check(host, "give --nbd-tls-cert and --nbd-tls-key, or --nbd-tls-psk");
      }
      return options.withBounds(maxConnections, options.maxServerBytes());
    } catch (IllegalArgumentException wrong) {
      throw usage(String.valueOf(wrong.getMessage()));
    }
  }

  private boolean isPlainServed(NbdTls tls) {
    return tls instanceof NbdTls.Off || tlsOptional;
  }

  private NbdAddress address() {
    if (socket.isPresent()) {
      if (port.isPresent()) {
        throw usage("give --port or --socket, not both");
      }
      return new NbdAddress.UnixSocket(socket.get());
    }
    int number = port.orElse(NbdAddress.DEFAULT_PORT);
    if (number < 0 || number > LARGEST_PORT) {
      throw usage("--port is a number from 0 to %d, not %d".formatted(LARGEST_PORT, number));
    }
    return new NbdAddress.Tcp(host, number);
  }

  private NbdTls tls() {
    var requirement = tlsOptional ? NbdTls.Requirement.OPTIONAL : NbdTls.Requirement.REQUIRED;
    if (tlsKeys.isPresent()) {
      if (tlsKey.isPresent() || tlsCertificate.isPresent()) {
        throw usage("give --nbd-tls-psk or --nbd-tls-key with --nbd-tls-cert, not both");
      }
      return new NbdTls.PreSharedKeys(requirement, tlsKeys.get());
    }
    if (tlsKey.isPresent() != tlsCertificate.isPresent()) {
      throw usage("TLS needs both --nbd-tls-key and --nbd-tls-cert");
    }
    if (tlsKey.isPresent() && tlsCertificate.isPresent()) {
      return new NbdTls.Certificates(
          requirement, tlsKey.get(), tlsCertificate.get(), tlsAuthorities);
    }
    if (tlsOptional || tlsAuthorities.isPresent()) {
      throw usage(
          "--nbd-tls-ca and --nbd-tls-optional need --nbd-tls-key with --nbd-tls-cert, or"
              + " --nbd-tls-psk");
    }
    return new NbdTls.Off();
  }

  /** Returns the URI of an export. */
  static String uri(NbdAddress address, NbdServerOptions options, String export) {
    String scheme = options.tls() instanceof NbdTls.Off ? "nbd" : "nbds";
    return switch (address) {
      case NbdAddress.Tcp tcp -> "%s://%s/%s".formatted(scheme, tcp, export);
      case NbdAddress.UnixSocket(Path path) ->
          "%s+unix:///%s?socket=%s".formatted(scheme, export, path.toAbsolutePath());
    };
  }

  private static CommandException usage(String message) {
    return new CommandException(ExitCode.USAGE, message);
  }
}
