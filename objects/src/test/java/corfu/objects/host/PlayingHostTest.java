package corfu.objects.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.objects.RemoteViewException;
import corfu.objects.ReplicatedObjects;
import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Mutator;
import corfu.objects.remote.Refusal;
import corfu.objects.remote.RemoteOptions;
import corfu.protocol.Endpoint;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.ViewRequest;
import corfu.transport.Peer;
import corfu.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls on an object that a host is still playing. */
class PlayingHostTest extends OnRemoteViews {

  private static final int STEPS = 12;
  private static final int STEPS_AN_ANSWER = 3;
  private static final int HURRY_MILLIS = 50;

  private final AtomicInteger answers = new AtomicInteger();

  /** An object whose host plays as many changes as it is allowed. */
  static class Heavy {
    static volatile Semaphore steps = new Semaphore(0);

    private long count;

    @Mutator
    public void add() {
      steps.acquireUninterruptibly();
      count++;
    }

    @Accessor
    public long count() {
      return count;
    }
  }

  @AfterEach
  void letGo() {
    Heavy.steps.release(STEPS);
  }

  @Test
  void isWaitedForAsLongAsItGetsOn() {
    Heavy heavy = heavy(HOSTS_ONLY);

    assertThat(heavy.count()).isEqualTo(STEPS);
    assertThat(answers).hasValueGreaterThan(2);
  }

  @Test
  void isNotWaitedForWithoutEnd() {
    Heavy heavy = heavy(HOSTS_ONLY.withPlaying(Duration.ZERO));

    assertThatThrownBy(heavy::count)
        .isInstanceOfSatisfying(
            RemoteViewException.class,
            refused -> assertThat(refused.refusal()).isEqualTo(Refusal.PLAYING));
    assertThat(answers).hasValue(1);
  }

  /** Returns an object whose host answers soon, and plays a few more changes with each answer. */
  private Heavy heavy(RemoteOptions options) {
    Heavy.steps = new Semaphore(STEPS_AN_ANSWER);
    restartWith(
        HOST.withTypes(HostTypes.COLLECTIONS.allowing(List.of(Heavy.class.getName())))
            .withStuckAfter(Duration.ofSeconds(100)));
    var corfu =
        cluster.connect(
            cluster.clientOptions(),
            transport -> new HurriedWay(transport, HURRY_MILLIS, this::answered));
    Heavy heavy = ReplicatedObjects.over(corfu).remote(options).open("heavy", Heavy.class);
    for (int i = 0; i < STEPS; i++) {
      heavy.add();
    }
    return heavy;
  }

  private void answered() {
    answers.incrementAndGet();
    Heavy.steps.release(STEPS_AN_ANSWER);
  }

  /** A transport that tells hosts a shorter patience than callers have. */
  private record HurriedWay(Transport transport, int patienceMillis, Runnable answered)
      implements Transport {

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
          if (!(request instanceof ViewRequest.Call call)) {
            return peer.send(request, timeoutNanos);
          }
          var hurried = new ViewRequest.Call(call.stream(), patienceMillis, call.call());
          return peer.send(hurried, timeoutNanos).whenComplete((reply, failure) -> answered.run());
        }
      };
    }

    @Override
    public void close() {}
  }
}
