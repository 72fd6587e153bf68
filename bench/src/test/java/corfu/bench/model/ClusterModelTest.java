package corfu.bench.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class ClusterModelTest {

  private static final double SECONDS = 0.5;
  private static final Percentage CLOSE = Percentage.withPercentage(5);

  private static double perSecond(Costs costs, int units, int replicas, boolean isRead) {
    return ClusterModel.perSecond(
        costs, new ClusterModel.Load(units, replicas, units, 8, 16, 1000, isRead), SECONDS);
  }

  @Test
  void aUnitsProcessorThatIsTheBottleneckIsBusyAllTheTime() {
    Costs costs = new Costs(0, 0, 0, 10_000, 0, 0, 0, 0, 1_000);

    assertThat(perSecond(costs, 1, 1, false)).isCloseTo(100_000, CLOSE);
    assertThat(perSecond(costs, 1, 1, true)).isCloseTo(100_000, CLOSE);
  }

  @Test
  void twiceTheUnitsDoTwiceAsMuchUntilTheSequencerIsBusy() {
    Costs costs = new Costs(0, 0, 0, 10_000, 100_000, 0, 0, 0, 1_000);

    assertThat(perSecond(costs, 2, 2, false)).isCloseTo(100_000, CLOSE);
    assertThat(perSecond(costs, 16, 2, false)).isCloseTo(16 * 10_000, CLOSE);
    assertThat(perSecond(costs, 64, 2, false)).isCloseTo(16 * 10_000, CLOSE);
  }

  @Test
  void networkCardsBoundReadsByWhatRepliesMeasure() {
    Costs costs = new Costs(0, 0, 0, 0, 0, 0, 0, 8, 1_000);

    double repliesPerSecond = 1e9 / 8 / (64 + 16 * 1000);

    assertThat(perSecond(costs, 1, 1, true)).isCloseTo(16 * repliesPerSecond, CLOSE);
  }

  @Test
  void waitingWritesShareTheNextSync() {
    Costs costs = new Costs(0, 0, 0, 0, 0, 1_000_000, 0, 0, 1_000);

    double inFlight = 8 * 16;

    // one half gathers while the other half is synced
    assertThat(perSecond(costs, 1, 1, false)).isCloseTo(inFlight / 2 * 1_000, CLOSE);
  }

  @Test
  void theSameNumbersGiveTheSameResult() {
    Costs costs = new Costs(900, 70, 1_100, 130, 800, 90_000, 0.4, 0.8, 20_000);

    assertThat(perSecond(costs, 8, 2, false)).isEqualTo(perSecond(costs, 8, 2, false), within(0.0));
  }

  @Test
  void unitsThatDoNotMakeWholeChainsAreRefused() {
    assertThatThrownBy(() -> new ClusterModel.Load(3, 2, 1, 1, 1, 1, false))
        .hasMessage("3 units do not make chains of 2");
  }
}
