package corfu.peers.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LoopsTest {

  private static final Duration A_WHILE = Duration.ofMillis(100);

  @Test
  void anOfferedLoadMakesAsManyAppendsAsItWasTold() throws Exception {
    var started = new AtomicInteger();

    var observed =
        Loops.offered(
            () -> {
              started.incrementAndGet();
              return CompletableFuture.completedFuture(null);
            },
            1_000,
            A_WHILE);

    assertThat(started).hasValue(100);
    assertThat(observed.operations()).isEqualTo(100);
  }

  /** The first of 100 appends, one a millisecond, is done when the last is made. */
  @Test
  void anOfferedLoadDoesNotWaitForASystemThatIsSlow() throws Exception {
    List<CompletableFuture<Void>> underWay = new ArrayList<>();

    var observed =
        Loops.offered(
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
    var underWay = new AtomicInteger();
    var most = new AtomicInteger();
    List<CompletableFuture<Void>> waiting = new ArrayList<>();

    var observed =
        Loops.flood(
            () -> {
              var answer = new CompletableFuture<Void>();
              waiting.add(answer);
              most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
              if (waiting.size() == 7) {
                underWay.set(0);
                waiting.forEach(each -> each.complete(null));
                waiting.clear();
              }
              return answer;
            },
            7,
            Duration.ofNanos(1)); // ends with what is under way: nothing waits for an eighth

    assertThat(most.get()).isLessThanOrEqualTo(7);
    assertThat(observed.operations() % 7).isZero();
  }

  @Test
  void anAppendThatFailsEndsTheLoad() {
    Appender refusing = () -> CompletableFuture.failedFuture(new IOException("no room"));

    assertThatThrownBy(() -> Loops.flood(refusing, 4, A_WHILE)).hasMessageContaining("no room");
    assertThatThrownBy(() -> Loops.lone(refusing, A_WHILE)).hasMessageContaining("no room");
  }
}
