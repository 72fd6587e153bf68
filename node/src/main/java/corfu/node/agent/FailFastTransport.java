package corfu.node.agent;

import corfu.protocol.Endpoint;
import corfu.transport.CancellableTransport;
import corfu.transport.CancellableTransport.InFlight;
import corfu.transport.Peer;
import corfu.transport.Transport;
import java.time.Duration;
import java.util.Set;

/**
 * Waits no longer for servers that have become silent. A change of the layout that needs such a
 * server ends at once, so that the next one can do without it. Thread-safe.
 *
 * <p>Requests are sent to silent servers all the same, for one of them may have come back.
 */
final class FailFastTransport implements Transport {

  /** A server that is thought to be silent and answers does so within this time. */
  private static final Duration SILENT_TIMEOUT = Duration.ofMillis(100);

  private final CancellableTransport way;
  private volatile Set<Endpoint> silent = Set.of();

  /**
   * @param way stays the caller's to close
   */
  FailFastTransport(Transport way) {
    this.way = new CancellableTransport(way, () -> {}, this::timeoutNanos);
  }

  private long timeoutNanos(InFlight request) {
    return silent.contains(request.server())
        ? Math.min(request.timeoutNanos(), SILENT_TIMEOUT.toNanos())
        : request.timeoutNanos();
  }

  /** These servers are silent, and no others; requests to servers that became so fail. */
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
