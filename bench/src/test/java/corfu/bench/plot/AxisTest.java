package corfu.bench.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class AxisTest {

  private static double[] values(double... values) {
    return values;
  }

  @Test
  void aVerticalAxisGoesFromZeroToARoundValueAtOrAboveTheHighest() {
    assertThat(Axis.upTo(230.87).ticks()).containsExactly(0.0, 50.0, 100.0, 150.0, 200.0, 250.0);
    assertThat(Axis.upTo(36_034).ticks())
        .containsExactly(0.0, 10_000.0, 20_000.0, 30_000.0, 40_000.0);
    assertThat(Axis.upTo(200).to()).isEqualTo(200);
  }

  @Test
  void anAxisOfNothingButZeroesHasRoundLabels() {
    assertThat(Axis.upTo(0).ticks().stream().map(Axis::label))
        .containsExactly("0", "0.2", "0.4", "0.6", "0.8", "1");
  }

  @Test
  void anAxisOfSettingsBeginsJustBeforeTheFirstPointAndNamesEachSetting() {
    Axis replicas = Axis.settings(values(1, 2, 4, 8));

    assertThat(replicas.isLogarithmic()).isFalse();
    assertThat(replicas.from()).isBetween(0.5, 1.0);
    assertThat(replicas.ticks()).containsExactly(1.0, 2.0, 4.0, 8.0);
    assertThat(replicas.part(1)).isCloseTo(0.04, within(0.01));
  }

  @Test
  void settingsThatDifferByManyTimesAreOnALogarithmicAxis() {
    Axis buckets = Axis.settings(values(10, 1_000, 10_000));

    assertThat(buckets.isLogarithmic()).isTrue();
    assertThat(buckets.ticks()).containsExactly(10.0, 1_000.0, 10_000.0);
    assertThat(buckets.part(1_000)).isCloseTo(0.64, within(0.02));
  }

  @Test
  void settingsThatAreTooCloseTogetherGiveWayToRoundTicks() {
    Axis loads = Axis.settings(values(0.25, 0.5, 0.75, 0.9, 1, 1.25, 1.5, 2, 3));

    assertThat(loads.ticks()).containsExactly(0.5, 1.0, 1.5, 2.0, 2.5, 3.0);
  }

  @Test
  void oneSettingIsInTheMiddle() {
    assertThat(Axis.settings(values(3)).part(3)).isEqualTo(0.5);
    assertThat(Axis.settings(values(0)).part(0)).isEqualTo(0.5);
  }

  @Test
  void anAxisOfDurationsHasPowersOfTenWithUnits() {
    Axis durations = Axis.decades(values(14, 90_000));

    assertThat(durations.ticks().stream().map(Axis::duration))
        .containsExactly("10 µs", "100 µs", "1 ms", "10 ms", "100 ms");
    assertThat(durations.part(1_000)).isCloseTo(0.5, within(1e-9));
  }

  @Test
  void anAxisOfTimeHasRoundSecondsAndTheEvent() {
    assertThat(Axis.seconds(values(-0.99, 2.99)).ticks())
        .containsExactly(-0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 2.5);
  }

  @Test
  void labelsHaveNoUselessZeroes() {
    assertThat(Axis.label(0.25)).isEqualTo("0.25");
    assertThat(Axis.label(0.1 + 0.2)).isEqualTo("0.3");
    assertThat(Axis.label(12_000)).isEqualTo("12,000");
  }
}
