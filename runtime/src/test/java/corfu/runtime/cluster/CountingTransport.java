package corfu.runtime.cluster;

import corfu.protocol.Endpoint;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.transport.Peer;
import corfu.transport.Transport;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A transport that counts requests and round trips. It does not count a client's periodic requests:
 * its reports of servers, and its probes of them.
 */
public final class CountingTransport implements Transport {

  private final Transport real;
  private final AtomicLong requests = new AtomicLong();
  private final AtomicLong roundTrips = new AtomicLong();
  private final AtomicInteger underWay = new AtomicInteger();

  public CountingTransport(Transport real) {
    this.real = real;
  }

  /** Returns the number of requests sent while the action runs. */
  public long requestsOf(Runnable action) {
    long before = requests.get();
    action.run();
    return requests.get() - before;
  }

  /**
   * Returns how often the action sends requests and waits for them; requests that are in flight
   * together count as one. First waits for the end of earlier requests.
   */
  public long roundTripsOf(Runnable action) {
    awaitReplies();
    long before = roundTrips.get();
    action.run();
    return roundTrips.get() - before;
  }

  /** Returns when no request waits for its reply. */
  public void awaitReplies() {
    while (underWay.get() > 0) {
      Thread.onSpinWait();
    }
  }

  private static boolean isBackground(Request request) {
    return request instanceof LayoutRequest.Report || request instanceof NodeRequest.AskStatus;
  }

  private void begun() {
    requests.incrementAndGet();
    if (underWay.getAndIncrement() == 0) {
      roundTrips.incrementAndGet();
    }
  }

  private CompletableFuture<Reply> counted(CompletableFuture<Reply> reply) {
    return reply.whenComplete((answer, failure) -> underWay.decrementAndGet());
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
        if (isBackground(request)) {
          return peer.send(request, timeoutNanos);
        }
        begun();
        return counted(peer.send(request, timeoutNanos));
      }

      @Override
      public Exchange begin(Request request, long timeoutNanos) {
        if (isBackground(request)) {
          return peer.begin(request, timeoutNanos);
        }
        begun();
        return new CountedExchange(peer.begin(request, timeoutNanos));
      }
    };
  }

  private final class CountedExchange implements Peer.Exchange {
    private final Peer.Exchange exchange;

    private CountedExchange(Peer.Exchange exchange) {
      this.exchange = exchange;
    }

    @Override
    public Reply await() {
      try {
        return exchange.await();
      } finally {
        underWay.decrementAndGet();
      }
    }

    @Override
    public CompletableFuture<Reply> settle(long patienceNanos) {
      return counted(exchange.settle(patienceNanos));
    }
  }

  @Override
  public void close() {
    real.close();
  }
}
