package corfu.peers.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LoadLoopsTest {

  private static final Duration A_WHILE = Duration.ofMillis(100);

  @Test
  void anOfferedLoadMakesAsManyAppendsAsItWasTold() throws Exception {
    var started = new AtomicInteger();

    var observed =
        LoadLoops.offered(
            () -> {
              started.incrementAndGet();
              return CompletableFuture.completedFuture(null);
            },
            1_000,
            A_WHILE);

    assertThat(started).hasValue(100);
    assertThat(observed.operations()).isEqualTo(100);
  }

  /** The first of 100 appends, one per millisecond, completes when the last one is made. */
  @Test
  void anOfferedLoadDoesNotWaitForASystemThatIsSlow() throws Exception {
    List<CompletableFuture<Void>> underWay = new ArrayList<>();

    var observed =
        LoadLoops.offered(
            () -> {
              var answer = new CompletableFuture<Void>();
              underWay.add(answer);
              if (underWay.size() == 100) {
                underWay.forEach(each -> each.complete(null));
              }
              return answer;
            },
            1_000,
            A_WHILE);

    assertThat(observed.p99Nanos()).isGreaterThan(Duration.ofMillis(90).toNanos());
    assertThat(observed.p50Nanos()).isGreaterThan(Duration.ofMillis(45).toNanos());
  }

  @Test
  void aFloodKeepsAsManyUnderWayAsItMay() throws Exception {
    var system = new Slow(7);
    LoadResult observed;
    Duration time = A_WHILE;

    do { // until the time suffices for seven appends to begin
      system = new Slow(7);
      observed = LoadLoops.flood(system, 7, time);
      time = time.multipliedBy(2);
    } while (system.most.get() < 7);

    assertThat(system.most).hasValue(7);
    assertThat(observed.operations()).isEqualTo(system.started.get());
  }

  /** Completes all in-flight appends shortly after their number is reached, or at the end. */
  private static final class Slow implements PeerAppender {
    private final int many;
    private final AtomicInteger started = new AtomicInteger();
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

    private Slow(int many) {
      this.many = many;
    }

    @Override
    public CompletableFuture<?> start() {
      var answer = new CompletableFuture<Void>();
      var isOver = new AtomicBoolean();
      Runnable done =
          () -> {
            if (isOver.compareAndSet(false, true)) {
              underWay.decrementAndGet(); // before the next one may begin
              answer.complete(null);
            }
          };
      started.incrementAndGet();
      int now = underWay.incrementAndGet();
      most.accumulateAndGet(now, Math::max);
      waiting.add(done);
      long millis = now < many ? 500 : 1;
      CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS).execute(this::endAll);
      return answer;
    }

    private void endAll() {
      for (Runnable each = waiting.poll(); each != null; each = waiting.poll()) {
        each.run();
      }
    }
  }

  @Test
  void anAppendThatFailsEndsTheLoad() {
    PeerAppender refusing = () -> CompletableFuture.failedFuture(new IOException("no room"));

    assertThatThrownBy(() -> LoadLoops.flood(refusing, 4, A_WHILE)).hasMessageContaining("no room");
    assertThatThrownBy(() -> LoadLoops.lone(refusing, A_WHILE)).hasMessageContaining("no room");
  }
}
