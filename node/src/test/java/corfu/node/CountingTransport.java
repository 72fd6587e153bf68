package corfu.node;

import corfu.protocol.Endpoint;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.transport.Peer;
import corfu.transport.Transport;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** Another transport, whose requests are counted. */
public final class CountingTransport implements Transport {

  private final Transport real;
  private final AtomicLong requests = new AtomicLong();

  public CountingTransport(Transport real) {
    this.real = real;
  }

  /** How many requests are sent while this runs. */
  public long requestsOf(Runnable action) {
    long before = requests.get();
    action.run();
    return requests.get() - before;
  }

  @Override
  public Peer peer(Endpoint endpoint) {
    Peer peer = real.peer(endpoint);
    return new Peer() {
      @Override
      public Endpoint endpoint() {
        return endpoint;
      }

      @Override
      public CompletableFuture<Reply> send(Request request, long timeoutNanos) {
        requests.incrementAndGet();
        return peer.send(request, timeoutNanos);
      }

      @Override
      public Exchange begin(Request request, long timeoutNanos) {
        requests.incrementAndGet();
        return peer.begin(request, timeoutNanos);
      }
    };
  }

  @Override
  public void close() {
    real.close();
  }
}
