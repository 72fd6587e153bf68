package corfu.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class UnitsTest {

  @Test
  void bytesHaveThreeDigits() {
    assertThat(Units.bytes(0)).isEqualTo("0 B");
    assertThat(Units.bytes(999)).isEqualTo("999 B");
    assertThat(Units.bytes(1_234)).isEqualTo("1.23 kB");
    assertThat(Units.bytes(12_345_678)).isEqualTo("12.3 MB");
    assertThat(Units.bytes(999_999)).isEqualTo("1.00 MB");
    assertThat(Units.bytes(Long.MAX_VALUE)).isEqualTo("9.22 EB");
  }

  @Test
  void timesAreInTheLargestUnitOfWhichThereAreTwo() {
    assertThat(Units.time(Duration.ofMillis(400))).isEqualTo("400 ms");
    assertThat(Units.time(Duration.ofSeconds(119))).isEqualTo("119 s");
    assertThat(Units.time(Duration.ofMinutes(3))).isEqualTo("3 min");
    assertThat(Units.time(Duration.ofHours(30))).isEqualTo("30 h");
    assertThat(Units.time(Duration.ofDays(3))).isEqualTo("3 days");
  }
}
