package corfu.cli.server;

import corfu.access.Subject;
import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.store.http.access.PermissionRule;
import corfu.store.http.access.StoreSecurity;
import corfu.store.http.access.TokenOptions;
import corfu.transport.tls.ClientCertificates;
import corfu.transport.tls.HostNameCheck;
import corfu.transport.tls.TlsEngine;
import corfu.transport.tls.TlsMode;
import corfu.transport.tls.TlsOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The encryption of an HTTP server, and whom it serves. The options name files, never secrets. */
final class HttpsOptions {

  @Option(
      names = "--https-cert",
      paramLabel = "FILE",
      description =
          "Certificate of this server, followed by those of its issuers, in PEM format. Without"
              + " it, the server speaks HTTP, and asks for no identity.")
  private Optional<Path> certificate = Optional.empty();

  @Option(
      names = "--https-key",
      paramLabel = "FILE",
      description = "Private key of the certificate, if it is in a file of its own.")
  private Optional<Path> key = Optional.empty();

  @Option(
      names = "--https-ca",
      paramLabel = "FILE",
      description =
          "Issuers of clients' certificates, in PEM format; may be repeated (default: the"
              + " authorities of the connection to the cluster).")
  private List<Path> authorities = new ArrayList<>();

  @Option(
      names = "--https-crl",
      paramLabel = "FILE",
      description = "Revoked certificates of clients: lists (CRL), or serial numbers.")
  private Optional<Path> revocations = Optional.empty();

  @Option(
      names = "--https-trust-domain",
      paramLabel = "NAME",
      description = "Trust domain that the SPIFFE ids of clients' certificates must have.")
  private Optional<String> trustDomain = Optional.empty();

  @Option(
      names = "--https-clients",
      paramLabel = "WORD",
      description =
          "Whether clients need a certificate: required, or optional (default: optional with"
              + " --token-keys, or else required).")
  private Optional<ClientCertificates> clients = Optional.empty();

  @Option(
      names = "--token-keys",
      paramLabel = "FILE",
      description = "Accept tokens by these keys: the file token-keys.pem of corfu cert.")
  private Optional<Path> tokenKeys = Optional.empty();

  @Option(
      names = "--token-name",
      paramLabel = "CLUSTER",
      description = "Name of the cluster that issues the tokens, as in corfu cert init.")
  private Optional<String> tokenName = Optional.empty();

  @Option(
      names = "--token-audience",
      paramLabel = "NAME",
      description = "Audience that tokens must name (default: CLUSTER).")
  private Optional<String> tokenAudience = Optional.empty();

  @Option(
      names = "--permissions",
      paramLabel = "WORD",
      description =
          "Source of permissions: policy (corfu access), or identity: everyone with a certificate"
              + " or token may do everything (default: policy).")
  private PermissionRule rule = PermissionRule.POLICY;

  @Option(
      names = "--administrator",
      paramLabel = "ID",
      description =
          "Identity that may do everything, also while the policy cannot be read; may end with *,"
              + " and may be repeated (default: the administrators of the cluster's configuration,"
              + " with --dir).")
  private List<String> administrators = new ArrayList<>();

  /** Returns whether the server speaks HTTPS. */
  boolean isOn() {
    return certificate.isPresent();
  }

  /**
   * Returns the security of the server.
   *
   * @param cluster the TLS of the connection to the cluster
   * @param configured the administrators of the cluster's configuration, if it is known
   * @throws CommandException if options do not fit together
   */
  StoreSecurity security(TlsOptions cluster, List<Subject> configured) {
    try {
      return certificate.isPresent()
          ? https(certificate.get(), cluster, configured)
          : withoutHttps();
    } catch (IllegalArgumentException wrong) {
      throw usage(String.valueOf(wrong.getMessage()));
    }
  }

  private StoreSecurity withoutHttps() {
    boolean isAsked =
        key.isPresent()
            || !authorities.isEmpty()
            || revocations.isPresent()
            || trustDomain.isPresent()
            || clients.isPresent()
            || tokenKeys.isPresent()
            || !administrators.isEmpty();
    if (isAsked) {
      throw usage("options of HTTPS, tokens and administrators need --https-cert FILE");
    }
    return StoreSecurity.NONE;
  }

  private StoreSecurity https(Path own, TlsOptions cluster, List<Subject> configured) {
    List<Path> trusted = authorities.isEmpty() ? cluster.authorities() : authorities;
    if (trusted.isEmpty()) {
      throw usage("HTTPS needs the issuers of clients' certificates: --https-ca FILE");
    }
    ClientCertificates demand =
        clients.orElse(
            tokenKeys.isPresent() ? ClientCertificates.OPTIONAL : ClientCertificates.REQUIRED);
    TlsOptions tls =
        new TlsOptions(
            TlsMode.REQUIRED,
            Optional.of(own),
            Optional.of(key.orElse(own)),
            trusted,
            revocations,
            demand,
            trustDomain,
            HostNameCheck.ON,
            TlsEngine.JDK);
    List<Subject> all =
        administrators.isEmpty()
            ? configured
            : administrators.stream().map(Subject::parse).toList();
    return new StoreSecurity(tls, tokens(), rule, all);
  }

  private Optional<TokenOptions> tokens() {
    if (tokenKeys.isPresent() != tokenName.isPresent()) {
      throw usage("tokens need both --token-keys FILE and --token-name CLUSTER");
    }
    return tokenKeys.map(
        keys ->
            new TokenOptions(
                keys, tokenName.orElseThrow(), tokenAudience.orElse(tokenName.orElseThrow())));
  }

  private static CommandException usage(String message) {
    return new CommandException(ExitCode.USAGE, message);
  }
}
