package corfu.node.security;

import corfu.access.Subject;
import corfu.access.gate.TrustedIdentities;
import corfu.node.security.ClusterSecurity.KeyPairFiles;
import corfu.pki.CertificateAuthority;
import corfu.pki.IssuedCertificate;
import corfu.transport.tls.TlsOptions;
import corfu.world.World;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The certificates of a cluster on this machine, from an authority of its own in one directory. The
 * commands {@code corfu cert} work on that directory, too.
 *
 * <p>Thread-safe: calls for one directory exclude each other.
 */
public final class LoopbackAuthority {

  /** The first part of all ids. */
  static final String DOMAIN = "local";

  private static final List<String> HOSTS = List.of("localhost", "127.0.0.1", "::1");
  private static final String ADMINISTRATOR = "admin";
  private static final String CLIENT = "client";

  /** Certificates that end sooner are renewed. */
  private static final int RENEWED_WITHIN_DAYS = 30;

  private LoopbackAuthority() {}

  /**
   * Makes an authority unless there is one, and issues the certificates that are missing: one for
   * each server, one of an administrator, and one of a client. Renews those that end within 30
   * days.
   *
   * @param directory the authority's directory; it is for the user of this process only
   * @param servers the names of the servers
   * @return mutual TLS by these certificates; commands use the administrator's
   * @throws corfu.pki.PkiException if the directory is unusable, or others may read its keys
   */
  public static ClusterSecurity prepare(Path directory, List<String> servers, World world) {
    Path home = directory.toAbsolutePath().normalize();
    CertificateAuthority authority =
        Files.exists(home.resolve("ca.pem"))
            ? CertificateAuthority.open(home, world)
            : CertificateAuthority.create(
                home, DOMAIN, CertificateAuthority.DEFAULT_VALIDITY, world);
    List<IssuedCertificate> issued = authority.issued();
    for (String server : servers) {
      if (isMissing(server, issued, authority, world)) {
        authority.issueServer(server, HOSTS);
      }
    }
    if (isMissing(ADMINISTRATOR, issued, authority, world)) {
      authority.issueAdministrator(ADMINISTRATOR);
    }
    if (isMissing(CLIENT, issued, authority, world)) {
      authority.issueClient(CLIENT);
    }
    Path certificates = home.resolve("certificates");
    Path server = certificates.resolve("{name}.pem");
    TlsOptions tls =
        TlsOptions.mutual(server, server, authority.caFile())
            .withRevocations(authority.crlFile())
            .withTrustDomain(authority.trustDomain());
    return new ClusterSecurity(
        tls, Optional.of(new KeyPairFiles(certificates.resolve(ADMINISTRATOR + ".pem"))), false);
  }

  /**
   * Returns the TLS of a client without special rights.
   *
   * @param security what {@link #prepare} returned
   */
  public static TlsOptions client(ClusterSecurity security) {
    Path file = security.servers().certificate().orElseThrow().resolveSibling(CLIENT + ".pem");
    return new ClusterSecurity(
            security.servers(), Optional.of(new KeyPairFiles(file)), security.insecureListen())
        .ofCommands();
  }

  /** Returns the identities of servers and administrators, as {@link #prepare} issues them. */
  public static TrustedIdentities trusted() {
    return new TrustedIdentities(
        List.of(Subject.parse("spiffe://" + DOMAIN + "/server/*")),
        List.of(Subject.parse("spiffe://" + DOMAIN + "/admin/*")));
  }

  private static boolean isMissing(
      String name, List<IssuedCertificate> issued, CertificateAuthority authority, World world) {
    Instant now = Instant.ofEpochMilli(world.wallTimeMillis());
    for (IssuedCertificate one : issued) {
      if (one.name().equals(name) && !one.isRevoked()) {
        if (one.info().daysLeft(now) < RENEWED_WITHIN_DAYS) {
          authority.renew(name);
        }
        return false;
      }
    }
    return true;
  }
}
