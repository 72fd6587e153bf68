package corfu.bench.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.bench.Benchmark;
import corfu.bench.harness.BenchSettings;
import corfu.bench.harness.Figure;
import corfu.node.local.JavaCommand;
import corfu.roles.logunit.options.UnitMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MachineLimitsBenchmarkTest {

  @Test
  void theMachinesLimitsAreMeasuredForEachSizeAndLoad() {
    var settings =
        new BenchSettings(
            List.of(64),
            List.of(1),
            List.of(1, 16),
            UnitMode.DURABLE,
            1,
            1,
            Duration.ofMillis(100),
            Duration.ofMillis(10));
    var figures = new ArrayList<Figure>();

    Benchmark.LIMITS.measure(settings, JavaCommand.likeThisProcess("unused"), figures::add);

    assertThat(figures)
        .extracting(figure -> figure.scenario().benchmark() + " " + figure.scenario().depth())
        .containsExactly(
            "limits/echo 1",
            "limits/fdatasync 1",
            "limits/echo 16",
            "limits/fdatasync 16",
            "limits/sequential 1");
    assertThat(figures)
        .allSatisfy(
            figure -> {
              assertThat(figure.opsPerSecond()).isPositive();
              assertThat(figure.p50Micros()).isPositive().isLessThanOrEqualTo(figure.p99Micros());
              assertThat(figure.ratioTo(figure.limit())).isEqualTo(1.0);
            });
  }
}
