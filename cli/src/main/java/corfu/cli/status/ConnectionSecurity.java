package corfu.cli.status;

import corfu.cli.connection.AdminClient;
import corfu.protocol.Endpoint;
import corfu.protocol.Identity;
import corfu.protocol.layout.Layout;
import corfu.transport.tls.TlsMode;
import corfu.transport.tls.TlsPeer;
import corfu.transport.tls.TlsStatus;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The encryption of the connections of one look at a cluster.
 *
 * @param client the TLS of this client
 * @param servers the certificates of servers whose connections are encrypted
 * @param now the time of the look
 */
public record ConnectionSecurity(
    Optional<TlsStatus> client, Map<Endpoint, ServerCertificate> servers, Instant now) {

  /** The days before the end of a certificate from which on it is a problem of the cluster. */
  static final long WARNING_DAYS = 30;

  /** No TLS. */
  static final ConnectionSecurity NONE =
      new ConnectionSecurity(Optional.empty(), Map.of(), Instant.EPOCH);

  /**
   * The certificate that a server showed in its handshake.
   *
   * @param identity the name that the certificate proves
   * @param notAfter the earliest end of the certificate and its issuers in the chain
   */
  public record ServerCertificate(Identity identity, Instant notAfter) {}

  static ConnectionSecurity of(AdminClient admin, Layout layout) {
    TlsStatus status = admin.tls();
    if (status.mode() == TlsMode.OFF) {
      return NONE;
    }
    Map<Endpoint, ServerCertificate> servers = new LinkedHashMap<>();
    for (Endpoint server : layout.servers()) {
      admin
          .certificateOf(server)
          .flatMap(ConnectionSecurity::certificate)
          .ifPresent(shown -> servers.put(server, shown));
    }
    return new ConnectionSecurity(Optional.of(status), servers, admin.now());
  }

  private static Optional<ServerCertificate> certificate(TlsPeer server) {
    return server.certificates().stream()
        .map(X509Certificate::getNotAfter)
        .min(Comparator.naturalOrder())
        .map(end -> new ServerCertificate(server.identity(), end.toInstant()));
  }

  /** Returns the days that are left to a server's certificate, or empty if there is none. */
  Optional<Long> daysLeft(Endpoint server) {
    return Optional.ofNullable(servers.get(server)).map(shown -> daysLeft(shown.notAfter()));
  }

  private long daysLeft(Instant end) {
    return ChronoUnit.DAYS.between(now, end);
  }
}
