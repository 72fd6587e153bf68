package corfu.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class SamplesTest {

  @Test
  void percentilesAreTimesThatWereMeasured() {
    Samples samples = new Samples();
    for (int millis = 100; millis >= 1; millis--) {
      samples.add(millis * 1_000_000L);
    }

    var times = samples.times("part", "what", OptionalDouble.of(25));

    assertThat(times.count()).isEqualTo(100);
    assertThat(times.p50Millis()).isEqualTo(50);
    assertThat(times.p99Millis()).isEqualTo(99);
    assertThat(times.maxMillis()).isEqualTo(100);
    assertThat(times.ratio()).hasValue(0.5);
  }
}
