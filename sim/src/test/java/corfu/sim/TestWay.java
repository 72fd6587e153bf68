package corfu.sim;

import corfu.protocol.Endpoint;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.transport.NoReplyException;
import corfu.transport.Peer;
import corfu.transport.Transport;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The way of one client to the servers, on which a test loses requests, answers them itself, or
 * lets something else happen before one of them is sent.
 */
final class TestWay implements Transport {

  private final Transport way;
  private Predicate<Request> lost = request -> false;
  private Function<Request, Optional<Reply>> answers = request -> Optional.empty();
  private Optional<Ambush> ambush = Optional.empty();

  private record Ambush(Predicate<Request> which, Way how) {}

  /** What is made of a request. */
  private interface Way {
    CompletableFuture<Reply> go(Supplier<CompletableFuture<Reply>> send);
  }

  TestWay(Transport way) {
    this.way = way;
  }

  /** From now on these requests do not arrive. */
  void lose(Predicate<Request> which) {
    lost = which;
  }

  /** From now on these requests do not arrive, and are answered so. */
  void answer(Function<Request, Optional<Reply>> how) {
    answers = how;
  }

  /** The next one of these requests is sent when this has been done. */
  void beforeNext(Predicate<Request> which, Supplier<CompletableFuture<?>> deed) {
    ambush = Optional.of(new Ambush(which, send -> deed.get().thenCompose(done -> send.get())));
  }

  /**
   * The next one of these requests arrives; but its sender is told what another copy of it was
   * answered, which arrived later.
   */
  void answerToCopyOfNext(Predicate<Request> which, Supplier<CompletableFuture<Reply>> answer) {
    ambush = Optional.of(new Ambush(which, send -> send.get().thenCompose(taken -> answer.get())));
  }

  @Override
  public Peer peer(Endpoint endpoint) {
    Peer peer = way.peer(endpoint);
    return new Peer() {
      @Override
      public Endpoint endpoint() {
        return endpoint;
      }

      @Override
      public CompletableFuture<Reply> send(Request request, long timeoutNanos) {
        if (lost.test(request)) {
          return CompletableFuture.failedFuture(new NoReplyException(endpoint, "lost by a test"));
        }
        Optional<Reply> answer = answers.apply(request);
        if (answer.isPresent()) {
          return CompletableFuture.completedFuture(answer.get());
        }
        Optional<Ambush> met = ambush.filter(waiting -> waiting.which().test(request));
        if (met.isEmpty()) {
          return peer.send(request, timeoutNanos);
        }
        ambush = Optional.empty();
        return met.get().how().go(() -> peer.send(request, timeoutNanos));
      }
    };
  }

  @Override
  public void close() {
    way.close();
  }
}
