package corfu.node.agent;

import corfu.protocol.Endpoint;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.transport.NoReplyException;
import corfu.transport.Peer;
import corfu.transport.Transport;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Waits no longer for servers that have become silent. A change of the layout that needs such a
 * server ends at once, so that the next one can do without it. Thread-safe.
 *
 * <p>Requests are sent to silent servers all the same, for one of them may have come back.
 */
final class FailFastTransport implements Transport {

  /** A server that is thought to be silent and answers does so within this time. */
  private static final Duration SILENT_TIMEOUT = Duration.ofMillis(100);

  private final Transport way;
  private final Map<Endpoint, FailFastPeer> peers = new ConcurrentHashMap<>();
  private volatile Set<Endpoint> silent = Set.of();

  /**
   * @param way stays the caller's to close
   */
  FailFastTransport(Transport way) {
    this.way = way;
  }

  /** These servers are silent, and no others; requests to them that are in flight fail. */
  void silent(Set<Endpoint> servers) {
    silent = Set.copyOf(servers);
    for (Endpoint server : servers) {
      FailFastPeer peer = peers.get(server);
      if (peer != null) {
        peer.failInFlight();
      }
    }
  }

  @Override
  public Peer peer(Endpoint endpoint) {
    return peers.computeIfAbsent(endpoint, fresh -> new FailFastPeer(way.peer(fresh)));
  }

  @Override
  public void close() {
    // what it wraps is closed by its owner
  }

  private final class FailFastPeer implements Peer {

    private final Peer peer;
    private final AtomicLong sent = new AtomicLong();
    private final Map<Long, CompletableFuture<Reply>> inFlight = new ConcurrentHashMap<>();

    private FailFastPeer(Peer peer) {
      this.peer = peer;
    }

    @Override
    public Endpoint endpoint() {
      return peer.endpoint();
    }

    @Override
    public CompletableFuture<Reply> send(Request request, long timeoutNanos) {
      boolean isSilent = silent.contains(endpoint());
      long timeout = isSilent ? Math.min(timeoutNanos, SILENT_TIMEOUT.toNanos()) : timeoutNanos;
      CompletableFuture<Reply> outcome = new CompletableFuture<>();
      long number = sent.incrementAndGet();
      if (!isSilent) {
        inFlight.put(number, outcome);
      }
      var unused =
          peer.send(request, timeout)
              .whenComplete(
                  (reply, failure) -> {
                    inFlight.remove(number);
                    if (failure == null) {
                      outcome.complete(reply);
                    } else {
                      outcome.completeExceptionally(failure);
                    }
                  });
      return outcome;
    }

    private void failInFlight() {
      for (CompletableFuture<Reply> outcome : inFlight.values()) {
        outcome.completeExceptionally(
            new NoReplyException(endpoint(), "the layout servers hear nothing of it any more"));
      }
      inFlight.values().removeIf(CompletableFuture::isDone);
    }
  }
}
