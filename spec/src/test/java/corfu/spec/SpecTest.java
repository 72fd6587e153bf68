package corfu.spec;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.spec.Model.Verdict;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The models hold at a small size, and fail where a rule is left out: a model that can't fail
 * proves nothing. With {@code -Dspec.size=large} larger sizes, too.
 */
class SpecTest {

  /** Far more than is needed where nobody else uses the machine. */
  private static final Duration SMALL = Duration.ofMinutes(5);

  private static final Duration LARGE = Duration.ofHours(12);

  private static final Model LOG = Model.of("CorfuLog");
  private static final Model PAXOS = Model.of("CorfuPaxos");

  /** The first of a kind is not to be told from the second, so one name is as good as another. */
  private static Model sized(
      int writers, int reconfigurers, int replicas, int lastEpoch, int restarts, int doubts) {
    return LOG.with("Writers", writers == 1 ? "{w1}" : "{w1, w2}")
        .with("Reconfigurers", reconfigurers == 1 ? "{c1}" : "{c1, c2}")
        .with("Replicas", replicas)
        .with("LastEpoch", lastEpoch)
        .with("Restarts", restarts)
        .with("Doubts", doubts);
  }

  static Stream<Arguments> smallSizes() {
    return Stream.of(
        Arguments.of("two reconfigurers and a restart", LOG),
        Arguments.of("three replicas and a lost answer", sized(1, 1, 3, 2, 0, 1)),
        Arguments.of("two writers", sized(2, 1, 2, 2, 0, 0)));
  }

  static Stream<Arguments> largeSizes() {
    return Stream.of(
        Arguments.of("two writers, a restart and a lost answer", sized(2, 1, 2, 2, 1, 1)),
        Arguments.of("two reconfigurers, a restart and a lost answer", sized(1, 2, 2, 2, 1, 1)),
        Arguments.of("three epochs, a restart and a lost answer", sized(1, 1, 2, 3, 1, 1)),
        Arguments.of("three epochs of three replicas", sized(1, 1, 3, 3, 0, 0)),
        Arguments.of("two writers and two lost answers", sized(2, 1, 2, 2, 0, 2)),
        Arguments.of("two reconfigurers and three epochs", sized(1, 2, 2, 3, 1, 0)));
  }

  @ParameterizedTest(name = "with {0}")
  @MethodSource("smallSizes")
  void theLogKeepsItsPromises(String name, Model model) {
    holds(name, model, SMALL);
  }

  @ParameterizedTest(name = "with {0}")
  @MethodSource("largeSizes")
  @EnabledIfSystemProperty(named = "spec.size", matches = "large")
  void theLogKeepsItsPromisesAtLargerSizes(String name, Model model) {
    holds(name, model, LARGE);
  }

  @Test
  void anEpochHasOneLayout() {
    holds("two ballots", PAXOS, SMALL);
  }

  @Test
  @EnabledIfSystemProperty(named = "spec.size", matches = "large")
  void anEpochHasOneLayoutAfterThreeBallots() {
    holds("three ballots", PAXOS.with("LastBallot", 3), LARGE);
  }

  /** The rules are listed in CorfuLog.tla; README.md tells the counterexamples in words. */
  @ParameterizedTest(name = "without \"{0}\"")
  @CsvSource({
    "R1, I2_Durability",
    "R2, Tail_NeverBehindAnAppend",
    "settle, Append_Once",
    "R3, I2_Durability",
    "settle all, No_Alarm",
    "R6, Tail_NeverBehindAnAppend",
    "seal all, Tail_NeverBehindAnAppend",
    "seals last, I4_Epochs",
    "starts last, Tail_NeverBehindAnAppend"
  })
  void theLogNeedsEveryRule(String rule, String violated) {
    fails(rule, sized(1, 1, 2, 2, 1, 1).without(rule), violated);
  }

  /** It takes two who propose the same. */
  @Test
  void theLogNeedsOneWhoStartsTheSequencer() {
    fails("winner", LOG.without("winner"), "Tail_NeverBehindAnAppend");
  }

  @ParameterizedTest(name = "without \"{0}\"")
  @CsvSource({"adopt", "majority", "promise lasts", "vote lasts"})
  void aLayoutDecisionNeedsEveryRule(String rule) {
    fails(rule, PAXOS.without(rule), "I5_OneLayout");
  }

  private static void holds(String name, Model model, Duration limit) {
    Verdict verdict = model.check(name, limit);
    System.out.printf(
        "%s with %s: %,d distinct states%n", model.module(), name, verdict.distinctStates());
    assertThat(verdict.violated()).as("violated, see %s", verdict.log()).isEqualTo("nothing");
    assertThat(verdict.distinctStates()).as("a model that does something").isGreaterThan(10_000);
  }

  private static void fails(String rule, Model model, String violated) {
    Verdict verdict = model.check("without " + rule, SMALL);
    System.out.printf(
        "%s without \"%s\": %s after %s%n",
        model.module(), rule, verdict.violated(), verdict.counterexample());
    assertThat(verdict.violated()).as("violated, see %s", verdict.log()).isEqualTo(violated);
  }
}
