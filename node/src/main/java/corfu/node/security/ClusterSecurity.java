package corfu.node.security;

import corfu.transport.tls.TlsMode;
import corfu.transport.tls.TlsOptions;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The TLS of a cluster's servers, and of commands that read its configuration.
 *
 * @param servers the servers' TLS; the text <code>{name}</code> in the paths of the certificate and
 *     its key stands for the name of a server
 * @param command the certificate of commands that read the configuration, with its key; empty if
 *     they have none
 * @param insecureListen whether servers may listen beyond this machine without requiring TLS
 */
public record ClusterSecurity(
    TlsOptions servers, Optional<KeyPairFiles> command, boolean insecureListen) {

  /** No TLS, and servers on loopback only. */
  public static final ClusterSecurity NONE =
      new ClusterSecurity(TlsOptions.OFF, Optional.empty(), false);

  /** The value of {@code insecure-listen}, which says the consequence. */
  static final String INSECURE_WORDS = ListenCheck.INSECURE_WORDS;

  private static final String NAME = "{name}";

  /**
   * The files of a certificate and of its private key, which may be one file.
   *
   * @param certificate the file of the certificate
   * @param key the file of its private key
   */
  public record KeyPairFiles(Path certificate, Path key) {

    /** Names one file that has both. */
    public KeyPairFiles(Path both) {
      this(both, both);
    }

    private KeyPairFiles named(String name) {
      return new KeyPairFiles(
          Path.of(certificate.toString().replace(NAME, name)),
          Path.of(key.toString().replace(NAME, name)));
    }
  }

  /** Returns the same security with another mode of the servers. */
  public ClusterSecurity withMode(TlsMode mode) {
    return new ClusterSecurity(servers.withMode(mode), command, insecureListen);
  }

  /**
   * Returns the TLS of a server, for its own connections to others as well.
   *
   * @param server the server's name
   * @param own the certificate of this server, if it is not that of the configuration
   */
  public TlsOptions of(String server, Optional<KeyPairFiles> own) {
    return with(own.or(() -> files(servers)).map(files -> files.named(server)));
  }

  /**
   * Returns the TLS of a command that reads the configuration. Without a certificate, only servers
   * that require none accept it.
   */
  public TlsOptions ofCommands() {
    return with(command);
  }

  private TlsOptions with(Optional<KeyPairFiles> own) {
    return new TlsOptions(
        servers.mode(),
        own.map(KeyPairFiles::certificate),
        own.map(KeyPairFiles::key),
        servers.authorities(),
        servers.revocations(),
        servers.clients(),
        servers.trustDomain(),
        servers.hostNames(),
        servers.engine());
  }

  /** Returns the certificate of the options, with its key. */
  static Optional<KeyPairFiles> files(TlsOptions options) {
    return options.certificate().map(one -> new KeyPairFiles(one, options.key().orElse(one)));
  }
}
