package corfu.store.http;

import corfu.protocol.Endpoint;
import corfu.transport.tls.TlsConnections;
import corfu.transport.tls.TlsCredentials;
import corfu.transport.tls.TlsPeer;
import corfu.world.World;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The metric {@code corfu_certificate_expiry_seconds}: the seconds until certificates end. Servers
 * of the cluster appear when this process has connected to them. Thread-safe.
 */
final class CertificateMetrics {

  private final Optional<TlsCredentials> https;
  private final Supplier<TlsConnections> cluster;
  private final World world;
  private final MultiGauge gauge;

  /**
   * @param https the certificate of the HTTPS server
   * @param cluster the certificates of the connections to the cluster
   */
  CertificateMetrics(
      MeterRegistry registry,
      Optional<TlsCredentials> https,
      Supplier<TlsConnections> cluster,
      World world) {
    this.https = https;
    this.cluster = cluster;
    this.world = world;
    this.gauge =
        MultiGauge.builder("corfu.certificate.expiry")
            .baseUnit("seconds")
            .description(
                "Time until a certificate or one of its issuers ends: of=https is that of this"
                    + " server, of=client that of its connections to the cluster, of=server that of"
                    + " a server of the cluster, and of=https-authorities and"
                    + " of=client-authorities those of the trusted issuer that ends first")
            .register(registry);
  }

  /** Updates the metric. */
  void look() {
    List<MultiGauge.Row<?>> rows = new ArrayList<>();
    https
        .map(TlsCredentials::status)
        .ifPresent(
            own -> {
              own.notAfter().ifPresent(end -> rows.add(row("https", "", end)));
              own.authoritiesNotAfter()
                  .ifPresent(end -> rows.add(row("https-authorities", "", end)));
            });
    TlsConnections connections = cluster.get();
    connections.own().notAfter().ifPresent(end -> rows.add(row("client", "", end)));
    connections
        .own()
        .authoritiesNotAfter()
        .ifPresent(end -> rows.add(row("client-authorities", "", end)));
    for (Map.Entry<Endpoint, TlsPeer> server : connections.servers().entrySet()) {
      end(server.getValue())
          .ifPresent(end -> rows.add(row("server", server.getKey().toString(), end)));
    }
    gauge.register(rows, true);
  }

  private static Optional<Instant> end(TlsPeer server) {
    return server.certificates().stream()
        .map(X509Certificate::getNotAfter)
        .min(Comparator.naturalOrder())
        .map(date -> date.toInstant());
  }

  private MultiGauge.Row<?> row(String of, String server, Instant end) {
    Duration left = Duration.between(Instant.ofEpochMilli(world.wallTimeMillis()), end);
    return MultiGauge.Row.of(Tags.of("of", of, "server", server), left.toSeconds());
  }
}
