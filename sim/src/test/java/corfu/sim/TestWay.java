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
 * A client's transport on which a test can lose requests, reply to them itself, or run something
 * before a request is sent.
 */
final class TestWay implements Transport {

  private final Transport way;
  private Predicate<Request> lost = request -> false;
  private Function<Request, Optional<Reply>> answers = request -> Optional.empty();
  private Optional<Ambush> ambush = Optional.empty();

  private record Ambush(Predicate<Request> which, Way how) {}

  /** Handles a request. */
  private interface Way {
    CompletableFuture<Reply> go(Supplier<CompletableFuture<Reply>> send);
  }

  TestWay(Transport way) {
    this.way = way;
  }

  /** Loses these requests from now on. */
  void lose(Predicate<Request> which) {
    lost = which;
  }

  /** Replies to these requests itself from now on; they do not arrive. */
  void answer(Function<Request, Optional<Reply>> how) {
    answers = how;
  }

  /** Runs this before the next one of these requests is sent. */
  void beforeNext(Predicate<Request> which, Supplier<CompletableFuture<?>> deed) {
    ambush = Optional.of(new Ambush(which, send -> deed.get().thenCompose(done -> send.get())));
  }

  /** Lets the next one of these requests arrive, but returns the reply to a later copy of it. */
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
