package corfu.node.agent;

import corfu.protocol.Endpoint;
import corfu.transport.CancellableTransport;
import corfu.transport.CancellableTransport.InFlight;
import corfu.transport.Peer;
import corfu.transport.Transport;
import java.time.Duration;
import java.util.Set;

/**
 * A transport that does not wait for silent servers. A change of the layout that needs such a
 * server ends at once, so that the next change can do without it. Thread-safe.
 *
 * <p>Requests are still sent to silent servers, because one of them may have returned.
 */
final class FailFastTransport implements Transport {

  /** The timeout for silent servers: one that has returned answers within this time. */
  private static final Duration SILENT_TIMEOUT = Duration.ofMillis(100);

  private final CancellableTransport way;
  private volatile Set<Endpoint> silent = Set.of();

  /**
   * @param way the transport that carries the requests; the caller closes it
   */
  FailFastTransport(Transport way) {
    this.way = new CancellableTransport(way, () -> {}, this::timeoutNanos);
  }

  private long timeoutNanos(InFlight request) {
    return silent.contains(request.server())
        ? Math.min(request.timeoutNanos(), SILENT_TIMEOUT.toNanos())
        : request.timeoutNanos();
  }

  /** Sets the silent servers. Requests to newly silent servers fail. */
  void silent(Set<Endpoint> servers) {
    Set<Endpoint> before = silent;
    silent = Set.copyOf(servers);
    way.cancel(
        request -> silent.contains(request.server()) && !before.contains(request.server()),
        "the layout servers hear nothing of it any more");
  }

  @Override
  public Peer peer(Endpoint endpoint) {
    return way.peer(endpoint);
  }

  @Override
  public void close() {
    way.close();
  }
}
