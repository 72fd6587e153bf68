package corfu.runtime.cluster;

import corfu.protocol.Endpoint;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.transport.Peer;
import corfu.transport.Transport;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** A client that dies at one of its requests, for tests of the consequences. */
public final class MortalClient implements AutoCloseable {

  private static final int NEVER = Integer.MAX_VALUE;

  private final Corfu corfu;
  private final AtomicInteger left = new AtomicInteger(NEVER);
  private volatile LastRequest last = LastRequest.IS_LOST;

  /** The fate of the client's last request. */
  public enum LastRequest {
    /** The server carries it out, but the client dies before the reply. */
    ARRIVES,
    IS_LOST
  }

  /** The failure of the client's calls after its death. */
  private static final class DeadException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DeadException() {
      super("this client is dead");
    }
  }

  /** Connects to a cluster. */
  public MortalClient(RoleCluster cluster) {
    CorfuOptions options = cluster.clientOptions().withHoleTimeout(Duration.ofMillis(10));
    this.corfu = cluster.connect(options, Way::new);
  }

  public Corfu corfu() {
    return corfu;
  }

  /**
   * Lets this number of requests arrive; the next one is the last.
   *
   * @param requests the number of requests that arrive
   * @param fate the fate of the last request
   */
  public void diesAfter(int requests, LastRequest fate) {
    last = fate;
    left.set(requests);
  }

  /** Returns whether the client has died. */
  public boolean isDead() {
    return left.get() < 0;
  }

  @Override
  public void close() {
    corfu.close();
  }

  private final class Way implements Transport {
    private final Transport transport;

    Way(Transport transport) {
      this.transport = transport;
    }

    @Override
    public Peer peer(Endpoint endpoint) {
      Peer peer = transport.peer(endpoint);
      return new Peer() {
        @Override
        public Endpoint endpoint() {
          return endpoint;
        }

        @Override
        public CompletableFuture<Reply> send(Request request, long timeoutNanos) {
          int before = left.getAndUpdate(count -> count == NEVER ? NEVER : Math.max(-1, count - 1));
          if (before > 0) {
            return peer.send(request, timeoutNanos);
          }
          CompletableFuture<Reply> none = new CompletableFuture<>();
          if (before == 0 && last == LastRequest.ARRIVES) {
            var unused =
                peer.send(request, timeoutNanos)
                    .whenComplete(
                        (reply, failure) -> none.completeExceptionally(new DeadException()));
          } else {
            none.completeExceptionally(new DeadException());
          }
          return none;
        }
      };
    }

    @Override
    public void close() {}
  }
}
