package corfu.bench.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.bench.model.EnsembleModel.Load;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class EnsembleModelTest {

  private static final double SECONDS = 0.1;
  private static final Percentage CLOSE = Percentage.withPercentage(5);
  private static final ServerCosts READS = new ServerCosts(10_000, 0, 0, 0, 0, 1_000);

  private static Load load(int servers, int readPercent) {
    return new Load(servers, 64, readPercent, 512);
  }

  @Test
  void everyServerServesTheReadsOfItsClients() {
    assertThat(ZabModel.perSecond(READS, 0, 0, load(3, 100), SECONDS)).isCloseTo(300_000, CLOSE);
    assertThat(TranslationModel.perSecond(READS, List.of(0.0), load(9, 100), SECONDS))
        .isCloseTo(900_000, CLOSE);
  }

  @Test
  void eachFollowerBurdensTheLeader() {
    var costs = new ServerCosts(0, 0, 0, 0, 0, 1_000);

    assertThat(ZabModel.perSecond(costs, 10_000, 5_000, load(3, 0), SECONDS))
        .isCloseTo(1e9 / 20_000, CLOSE);
    assertThat(ZabModel.perSecond(costs, 10_000, 5_000, load(9, 0), SECONDS))
        .isCloseTo(1e9 / 50_000, CLOSE);
  }

  @Test
  void everyTranslationServerAppliesAllWritesAndHandlesItsOwn() {
    var costs = new ServerCosts(0, 9_000, 5_000, 0, 0, 1_000);

    assertThat(TranslationModel.perSecond(costs, List.of(0.0), load(3, 0), SECONDS))
        .isCloseTo(1e9 / 8_000, CLOSE);
    assertThat(TranslationModel.perSecond(costs, List.of(0.0), load(9, 0), SECONDS))
        .isCloseTo(1e9 / 6_000, CLOSE);
  }

  @Test
  void theSlowestLogServerBoundsTheWrites() {
    var costs = new ServerCosts(0, 0, 0, 0, 0, 1_000);

    assertThat(TranslationModel.perSecond(costs, List.of(2_000.0, 20_000.0), load(6, 0), SECONDS))
        .isCloseTo(50_000, CLOSE);
  }

  @Test
  void aWriteWaitsForASyncAndAReadDoesNot() {
    var costs = new ServerCosts(1_000, 1_000, 1_000, 1_000_000, 0, 1_000);

    double writes = ZabModel.perSecond(costs, 1_000, 0, load(3, 0), SECONDS);
    double reads = ZabModel.perSecond(costs, 1_000, 0, load(3, 100), SECONDS);

    assertThat(writes).isLessThanOrEqualTo(3 * 64 * 1_000);
    assertThat(reads).isCloseTo(3e6, CLOSE);
  }

  @Test
  void theSameNumbersGiveTheSameResult() {
    var costs = new ServerCosts(900, 2_000, 700, 90_000, 8, 20_000);

    assertThat(ZabModel.perSecond(costs, 900, 300, load(6, 50), SECONDS))
        .isEqualTo(ZabModel.perSecond(costs, 900, 300, load(6, 50), SECONDS));
  }

  @Test
  void impossibleLoadsAndCostsAreRefused() {
    assertThatThrownBy(() -> load(3, 101)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ServerCosts(-1, 0, 0, 0, 0, 0))
        .hasMessage("nothing costs less than nothing");
  }
}
