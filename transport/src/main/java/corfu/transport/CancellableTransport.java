package corfu.transport;

import corfu.protocol.Endpoint;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * A transport on which requests in flight can be cancelled before their deadlines, after the caller
 * has learned that no useful reply can come. The server may still act on a cancelled request.
 * Thread-safe.
 */
public final class CancellableTransport implements Transport {

  /**
   * The time for which the calling thread itself waits in a lone call. Afterwards the call can be
   * cancelled, too.
   */
  private static final long LONE_NANOS = Duration.ofMillis(250).toNanos();

  private final Transport way;
  private final Runnable whenSent;
  private final Listener listener;
  private final ToLongFunction<InFlight> timeout;
  private final AtomicLong sent = new AtomicLong();
  private final Map<Long, Waiting> waiting = new ConcurrentHashMap<>();
  private final Map<Endpoint, Peer> peers = new ConcurrentHashMap<>();

  /**
   * A request that waits for its reply.
   *
   * @param number the number of requests sent before it
   * @param server the server to which it goes
   * @param request the request
   * @param timeoutNanos the sender's timeout in nanoseconds
   */
  public record InFlight(long number, Endpoint server, Request request, long timeoutNanos) {}

  /** A listener for every request. Called on any thread; must not block. */
  public interface Listener {
    /** A listener that does nothing. */
    Listener NONE =
        new Listener() {
          @Override
          public void sent(InFlight request) {}

          @Override
          public void answered(InFlight request) {}

          @Override
          public void failed(InFlight request, Throwable failure) {}
        };

    /** The request is about to be sent. */
    void sent(InFlight request);

    /** The server has replied to the request. */
    void answered(InFlight request);

    /** The deadline has come without a reply, or none can come any more. */
    void failed(InFlight request, Throwable failure);
  }

  private record Waiting(
      InFlight request, CompletableFuture<Reply> reply, CompletableFuture<Reply> outcome) {}

  /**
   * @param way the transport that carries the requests; the caller closes it
   * @param whenSent called on the sender's thread for each request that waits for its reply; must
   *     not block
   */
  public CancellableTransport(Transport way, Runnable whenSent) {
    this(way, whenSent, InFlight::timeoutNanos, Listener.NONE);
  }

  /**
   * @param way the transport that carries the requests; the caller closes it
   * @param whenSent called on the sender's thread for each request that waits for its reply; must
   *     not block
   * @param listener hears of every request
   */
  public CancellableTransport(Transport way, Runnable whenSent, Listener listener) {
    this(way, whenSent, InFlight::timeoutNanos, listener);
  }

  /**
   * @param way the transport that carries the requests; the caller closes it
   * @param whenSent called on the sender's thread for each request that waits for its reply; must
   *     not block
   * @param timeout replaces a request's timeout; returns nanoseconds, 1 or more
   */
  public CancellableTransport(Transport way, Runnable whenSent, ToLongFunction<InFlight> timeout) {
    this(way, whenSent, timeout, Listener.NONE);
  }

  private CancellableTransport(
      Transport way, Runnable whenSent, ToLongFunction<InFlight> timeout, Listener listener) {
    this.way = way;
    this.whenSent = whenSent;
    this.timeout = timeout;
    this.listener = listener;
  }

  /** Returns the number of requests sent so far. */
  public long sent() {
    return sent.get();
  }

  /** Returns whether no request waits for its reply. */
  public boolean isIdle() {
    return waiting.isEmpty();
  }

  /** Returns whether a matching request waits for its reply. */
  public boolean isWaiting(Predicate<InFlight> which) {
    return waiting.values().stream().anyMatch(one -> which.test(one.request));
  }

  /**
   * Cancels the matching requests. Those not sent yet fail with {@link UnreachableException}, the
   * others with {@link NoReplyException}.
   *
   * @param which selects the requests to cancel
   * @param why the reason for people, for example "it has left the layout"
   */
  public void cancel(Predicate<InFlight> which, String why) {
    waiting.forEach(
        (number, one) -> {
          if (which.test(one.request)) {
            var unused =
                way.peer(one.request.server())
                    .withdraw(one.reply, why)
                    .whenComplete((decided, failure) -> giveUp(number, one, why));
          }
        });
  }

  private void giveUp(long number, Waiting one, String why) {
    waiting.remove(number);
    one.outcome.completeExceptionally(new NoReplyException(one.request.server(), why));
  }

  @Override
  public Peer peer(Endpoint endpoint) {
    Peer known = peers.get(endpoint);
    return known != null
        ? known
        : peers.computeIfAbsent(endpoint, fresh -> new CancellablePeer(way.peer(fresh)));
  }

  /** Leaves the wrapped transport open: its owner closes it. */
  @Override
  public void close() {}

  private CompletableFuture<Reply> register(InFlight request, CompletableFuture<Reply> reply) {
    if (reply.isDone()) {
      if (reply.isCompletedExceptionally()) {
        listener.failed(request, reply.exceptionNow());
      } else {
        listener.answered(request);
      }
      return reply;
    }
    CompletableFuture<Reply> outcome = new CompletableFuture<>();
    long number = request.number();
    waiting.put(number, new Waiting(request, reply, outcome));
    var unused =
        reply.whenComplete(
            (answer, failure) -> {
              waiting.remove(number);
              if (failure == null) {
                listener.answered(request);
                outcome.complete(answer);
              } else {
                listener.failed(request, failure);
                outcome.completeExceptionally(failure);
              }
            });
    whenSent.run();
    return outcome;
  }

  private final class CancellablePeer implements Peer {

    private final Peer peer;

    private CancellablePeer(Peer peer) {
      this.peer = peer;
    }

    @Override
    public Endpoint endpoint() {
      return peer.endpoint();
    }

    @Override
    public CompletableFuture<Reply> send(Request request, long timeoutNanos) {
      InFlight fresh = new InFlight(sent.getAndIncrement(), endpoint(), request, timeoutNanos);
      listener.sent(fresh);
      return register(fresh, peer.send(request, timeout.applyAsLong(fresh)));
    }

    @Override
    public Exchange begin(Request request, long timeoutNanos) {
      InFlight fresh = new InFlight(sent.getAndIncrement(), endpoint(), request, timeoutNanos);
      listener.sent(fresh);
      return new CancellableExchange(fresh, peer.begin(request, timeout.applyAsLong(fresh)));
    }
  }

  private final class CancellableExchange implements Peer.Exchange {

    private final InFlight request;
    private final Peer.Exchange exchange;

    private CancellableExchange(InFlight request, Peer.Exchange exchange) {
      this.request = request;
      this.exchange = exchange;
    }

    @Override
    public Reply await() {
      return Peer.await(settle(LONE_NANOS));
    }

    @Override
    public CompletableFuture<Reply> settle(long patienceNanos) {
      return register(request, exchange.settle(patienceNanos));
    }
  }
}
