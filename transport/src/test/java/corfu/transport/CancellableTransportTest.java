package corfu.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.Endpoint;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Requests that their sender cancels. */
final class CancellableTransportTest {

  private static final Endpoint A = new Endpoint("a", 1);
  private static final Endpoint B = new Endpoint("b", 2);
  private static final Request REQUEST = new NodeRequest.AskStatus();

  /** The servers' replies, in the order of the requests. The tests complete them. */
  private final List<CompletableFuture<Reply>> replies = new ArrayList<>();

  private final List<Long> timeouts = new ArrayList<>();
  private final AtomicInteger sent = new AtomicInteger();
  private final CancellableTransport way =
      new CancellableTransport(new Servers(), sent::incrementAndGet);

  private final class Servers implements Transport {
    @Override
    public Peer peer(Endpoint endpoint) {
      return new Peer() {
        @Override
        public Endpoint endpoint() {
          return endpoint;
        }

        @Override
        public CompletableFuture<Reply> send(Request request, long timeoutNanos) {
          CompletableFuture<Reply> reply = new CompletableFuture<>();
          replies.add(reply);
          timeouts.add(timeoutNanos);
          return reply;
        }
      };
    }

    @Override
    public void close() {}
  }

  @Test
  void aRequestThatIsCancelledFailsWithItsEffectUnknown() {
    CompletableFuture<Reply> outcome = way.peer(A).send(REQUEST, 1_000);

    way.cancel(request -> request.server().equals(A), "it has left");

    assertThatThrownBy(outcome::join)
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOf(NoReplyException.class)
        .hasMessageContaining("it has left");
    assertThat(way.isIdle()).isTrue();
  }

  @Test
  void otherRequestsGoOn() {
    CompletableFuture<Reply> toA = way.peer(A).send(REQUEST, 1_000);
    CompletableFuture<Reply> toB = way.peer(B).begin(REQUEST, 1_000).settle(1);
    assertThat(sent).hasValue(2);

    way.cancel(request -> request.server().equals(A), "it has left");
    replies.get(1).complete(Reply.Done.DONE);

    assertThat(toA).isCompletedExceptionally();
    assertThat(toB).isCompletedWithValue(Reply.Done.DONE);
  }

  @Test
  void aReplyThatComesAfterTheCancellationChangesNothing() {
    CompletableFuture<Reply> outcome = way.peer(A).send(REQUEST, 1_000);
    way.cancel(request -> true, "it has left");

    replies.getFirst().complete(Reply.Done.DONE);

    assertThat(outcome).isCompletedExceptionally();
  }

  @Test
  void whatHasBeenAnsweredIsNotKept() {
    CompletableFuture<Reply> outcome = way.peer(A).send(REQUEST, 1_000);
    assertThat(way.isWaiting(request -> request.server().equals(A))).isTrue();

    replies.getFirst().complete(Reply.Done.DONE);

    assertThat(outcome).isCompletedWithValue(Reply.Done.DONE);
    assertThat(way.isIdle()).isTrue();
  }

  @Test
  void aRequestMayBeGivenLessTimeThanItsSenderGivesIt() {
    CancellableTransport hurried =
        new CancellableTransport(
            new Servers(),
            () -> {},
            request -> request.server().equals(A) ? 100 : request.timeoutNanos());

    var toA = hurried.peer(A).send(REQUEST, 1_000);
    var toB = hurried.peer(B).send(REQUEST, 1_000);

    assertThat(timeouts).containsExactly(100L, 1_000L);
    assertThat(List.of(toA, toB)).noneMatch(CompletableFuture::isDone);
  }
}
