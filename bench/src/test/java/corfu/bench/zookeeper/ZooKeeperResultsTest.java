package corfu.bench.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.bench.harness.PartResult.Value;
import corfu.bench.zookeeper.load.LoadOutcome;
import corfu.bench.zookeeper.load.Recipe;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ZooKeeperResultsTest {

  private static LoadOutcome outcome(long operations, long p50Micros) {
    return new LoadOutcome(operations, 1_000_000_000, p50Micros * 1000, 2 * p50Micros * 1000);
  }

  @Test
  void oneDisturbedRoundDoesNotChangeTheMedians() {
    var medians =
        RoundMedians.of(List.of(outcome(900, 1_000), outcome(3, 90_000), outcome(1_000, 1_500)));

    assertThat(medians).isEqualTo(new RoundMedians(900, 1.5, 3));
  }

  @Test
  void aRatioStandsBesideTheFiguresOfBothSystems() {
    Map<String, RoundMedians> seen = new LinkedHashMap<>();
    seen.put("corfu", new RoundMedians(300, 1, 2));
    seen.put("zookeeper", new RoundMedians(100, 4, 8));

    assertThat(RoundMedians.beside(seen, "PerSecond", "ratio", RoundMedians::perSecond))
        .containsExactly(
            new Value("corfuPerSecond", 300),
            new Value("zookeeperPerSecond", 100),
            new Value("ratio", 3));
  }

  @Test
  void oneSystemAloneHasNoRatio() {
    var seen = Map.of("zookeeper", new RoundMedians(100, 4, 8));

    assertThat(RoundMedians.beside(seen, "P50Millis", "p50Ratio", RoundMedians::p50Millis))
        .containsExactly(new Value("zookeeperP50Millis", 4));
  }

  @Test
  void publishedLatenciesGrowWithTheIntervalAndPushHasNone() {
    assertThat(RecipeTable.published(Recipe.LOCK, Poll.MS1)).hasValue(3);
    assertThat(RecipeTable.published(Recipe.LOCK, Poll.MS10)).hasValue(33);
    assertThat(RecipeTable.published(Recipe.LOCK, Poll.MS100)).hasValue(196);
    assertThat(RecipeTable.published(Recipe.LOCK, Poll.PUSH)).isEqualTo(OptionalInt.empty());
  }

  @Test
  void theLastPollCountsForAllOtherRows() {
    assertThat(settings(List.of(Poll.MS1, Poll.PUSH), List.of(6)).poll()).isEqualTo(Poll.PUSH);
    assertThatThrownBy(() -> Poll.parse("2ms")).hasMessage("'2ms' is not 1ms, 10ms, 100ms or push");
  }

  @Test
  void noEnsembleThatCanBeMeasuredIsSimulated() {
    assertThatThrownBy(() -> settings(List.of(Poll.PUSH), List.of(3, 9)))
        .hasMessage("simulated ensembles have more than 3 servers");
  }

  private static ZooKeeperSettings settings(List<Poll> polls, List<Integer> simulated) {
    return new ZooKeeperSettings(
        Set.of(),
        Set.of(),
        1,
        Duration.ofSeconds(1),
        50,
        1,
        512,
        polls,
        List.of(0),
        simulated,
        1,
        Optional.empty());
  }
}
