package corfu.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Recorder;
import org.junit.jupiter.api.Test;

class ClosedLoopTest {

  private static final long NANOS = 20_000_000;

  @Test
  void oneClientKeepsExactlyItsDepthUnderWay() throws Exception {
    var request = new LateAnswers(8);
    var recorder = new Recorder(3);
    long operations = 0;

    for (long nanos = NANOS; request.mostUnderWay < 8; nanos *= 2) { // until 8 have begun
      request = new LateAnswers(8);
      recorder.reset();
      operations = new ClosedLoop(1, 8, request).run(nanos, recorder);
    }

    assertThat(request.mostUnderWay).isEqualTo(8);
    assertThat(operations).isEqualTo(request.started * 3L);
    assertThat(recorder.getIntervalHistogram().getTotalCount()).isEqualTo(request.started);
  }

  @Test
  void aFailedRequestFailsTheRun() {
    var failing =
        new ClosedLoop.Request() {
          @Override
          public void await() {}

          @Override
          public CompletableFuture<?> start() {
            return CompletableFuture.failedFuture(new IllegalStateException("no such thing"));
          }
        };

    assertThatThrownBy(() -> new ClosedLoop(1, 2, failing).run(NANOS, new Recorder(3)))
        .rootCause()
        .hasMessage("no such thing");
  }

  /**
   * Completes all requests when as many as allowed are in flight. The rest are completed a bit
   * later.
   */
  private static final class LateAnswers implements ClosedLoop.Request {
    private final int depth;
    private final ArrayDeque<CompletableFuture<Void>> underWay = new ArrayDeque<>();
    private int started;
    private int mostUnderWay;

    private LateAnswers(int depth) {
      this.depth = depth;
    }

    @Override
    public void await() {}

    @Override
    public CompletableFuture<?> start() {
      var answer = new CompletableFuture<Void>().completeOnTimeout(null, 1, TimeUnit.SECONDS);
      started++;
      underWay.add(answer);
      mostUnderWay = Math.max(mostUnderWay, underWay.size());
      if (underWay.size() == depth) {
        var all = new ArrayDeque<>(underWay);
        underWay.clear();
        all.forEach(each -> each.complete(null));
      }
      return answer;
    }

    @Override
    public int operations() {
      return 3;
    }
  }
}
