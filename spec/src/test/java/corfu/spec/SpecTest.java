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
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The models hold at a small size, and fail if a rule is left out: a model that cannot fail proves
 * nothing. With {@code -Dspec.size=large}, larger sizes are checked, too.
 */
class SpecTest {

  /** Far more than an idle machine needs. */
  private static final Duration SMALL = Duration.ofMinutes(5);

  private static final Duration LARGE = Duration.ofHours(12);

  private static final Model LOG = Model.of("CorfuLog");
  private static final Model REBUILD = Model.of("CorfuRebuild");
  private static final Model STREAMS = Model.of("CorfuStreams");
  private static final Model LEASES = Model.of("CorfuLeases");
  private static final Model PAXOS = Model.of("CorfuPaxos");

  /** One of the first layout servers is alone in later epochs. */
  private static final Model OTHERS =
      LEASES.with("Others", "{{g3}}").with("LastEpoch", 3).with("Restarts", 0);

  /** The first layout has a target already, so that fewer steps lead to the following ones. */
  private static final Model TARGET =
      REBUILD.with("FirstTarget", "TRUE").with("LastEpoch", 2).with("Losses", 0).with("Resets", 0);

  /** The unit that joins the closed segment has joined the open one before. */
  private static final Model NAMED_TWICE = TARGET.with("LastAddress", 1).with("LastEpoch", 4);

  /** Every unit of the open chain may be unreachable, and the spare is the next unit. */
  private static final Model LOST_CHAIN =
      REBUILD
          .with("Tokens", "TRUE")
          .with("LastAddress", 1)
          .with("Busy", "{0, 1}")
          .with("Leaving", "{1}")
          .with("LastEpoch", 2)
          .with("Losses", 0);

  /** No unit is lost, but an entry is trimmed and forgotten. */
  private static final Model TRIMMED_STREAMS =
      STREAMS.with("Trims", 1).with("Losses", 0).with("Mortal", "{}");

  /** Enough layouts to lose a unit and to rebuild it. */
  private static final Model REBUILT_STREAMS = STREAMS.with("LastEpoch", 3);

  /**
   * Returns a model of this size. The first and the second of a kind are interchangeable, so their
   * names do not matter.
   */
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
        Arguments.of("three replicas", sized(1, 1, 3, 2, 0, 0)),
        Arguments.of("two writers", sized(2, 1, 2, 2, 0, 0)));
  }

  static Stream<Arguments> largeSizes() {
    return Stream.of(
        Arguments.of("three replicas and a lost answer", sized(1, 1, 3, 2, 0, 1)),
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
  void nothingIsLostWhenAUnitJoins() {
    holds("a unit that joins", REBUILD, SMALL);
  }

  @Test
  void nothingIsLostWhenAUnitJoinsTwoReplicas() {
    holds("a target beside two replicas", TARGET.with("Replicas", 2).with("Losses", 1), SMALL);
  }

  @Test
  void nothingIsLostWhenAUnitJoinsASecondSegment() {
    holds("two segments", NAMED_TWICE.with("LastEpoch", 3), SMALL);
  }

  @Test
  void nothingIsLostWhenAChainIsClosedThatNobodyReaches() {
    holds("a lost chain", LOST_CHAIN, SMALL);
  }

  static Stream<Arguments> largeRebuilds() {
    return Stream.of(
        Arguments.of("a unit that joins two replicas", REBUILD.with("Replicas", 2)),
        Arguments.of("two resets and two losses", REBUILD.with("Losses", 2).with("Resets", 2)),
        Arguments.of("two spares", REBUILD.with("Spares", 2).with("Resets", 2)),
        Arguments.of("two segments and four layouts", NAMED_TWICE),
        Arguments.of("two busy segments", NAMED_TWICE.with("Busy", "{0, 1}").with("LastEpoch", 3)),
        Arguments.of(
            "two replicas and three layouts", TARGET.with("Replicas", 2).with("LastEpoch", 3)),
        Arguments.of("three addresses", REBUILD.with("LastAddress", 2).with("Losses", 0)));
  }

  @ParameterizedTest(name = "with {0}")
  @MethodSource("largeRebuilds")
  @EnabledIfSystemProperty(named = "spec.size", matches = "large")
  void nothingIsLostWhenAUnitJoinsAtLargerSizes(String name, Model model) {
    holds(name, model, LARGE);
  }

  static Stream<Arguments> smallStreams() {
    return Stream.of(
        Arguments.of("a lost unit", STREAMS),
        Arguments.of("a trim", TRIMMED_STREAMS),
        Arguments.of("a lost unit that is rebuilt", REBUILT_STREAMS.with("LastAddress", 0)));
  }

  @ParameterizedTest(name = "with {0}")
  @MethodSource("smallStreams")
  void streamsAgreeWithTheLog(String name, Model model) {
    holds(name, model, SMALL);
  }

  static Stream<Arguments> largeStreams() {
    return Stream.of(
        Arguments.of("all kinds of entries", STREAMS.with("Wishes", "{{}, {1}, {2}, {1, 2}}")),
        Arguments.of("two log replicas", STREAMS.with("Replicas", 2)),
        Arguments.of("a rebuilt log unit", REBUILT_STREAMS.with("Mortal", "{\"log\"}")),
        Arguments.of("a rebuilt stream replica", REBUILT_STREAMS.with("Mortal", "{\"stream\"}")),
        Arguments.of(
            "a trim and a lost log unit", STREAMS.with("Trims", 1).with("Mortal", "{\"log\"}")),
        Arguments.of("three addresses", STREAMS.with("LastAddress", 2)),
        Arguments.of(
            "two lost units",
            STREAMS.with("LastAddress", 0).with("LastEpoch", 5).with("Losses", 2)));
  }

  @ParameterizedTest(name = "with {0}")
  @MethodSource("largeStreams")
  @EnabledIfSystemProperty(named = "spec.size", matches = "large")
  void streamsAgreeWithTheLogAtLargerSizes(String name, Model model) {
    holds(name, model, LARGE);
  }

  @ParameterizedTest(name = "without \"{0}\"")
  @CsvSource({
    "R2, I6_NothingInFront",
    "R4, I2_Durability",
    "R6, I4_Epochs",
    "R6 lost, I3_Chain",
    "R6 ends, I6_OneOrder",
    "R6 ends lost, I6_OneOrder",
    "R6 ends all, I6_OneOrder",
    "R7, No_Alarm",
    "R7 once, No_Alarm",
    "unknown, I6_OneOrder",
    "roll forward by address, I2_Durability",
    "roll forward by stream, I6_AllOrNothing",
    "gap, I6_NothingInFront",
    "old gap, I6_NothingInFront",
    "seal streams, I3_Chain",
    "seal parts, I6_AllOrNothing"
  })
  void streamsNeedEveryRule(String rule, String violated) {
    fails(rule, STREAMS.without(rule), violated);
  }

  @Test
  void theEndOfAStreamIsOfItsEpoch() {
    Model nothingIsLost = STREAMS.with("Losses", 0).with("Mortal", "{}");
    fails("floor", nothingIsLost.without("floor"), "I6_OneOrder");
  }

  @Test
  void aStreamGoesOnBehindWhatIsForgotten() {
    fails("forgotten", TRIMMED_STREAMS.without("forgotten"), "I6_OneOrder");
  }

  @Test
  void answersAreOfTheNewestLayout() {
    holds("a restart", LEASES, SMALL);
  }

  @Test
  void answersAreOfTheNewestLayoutWhenItHasOtherLayoutServers() {
    holds("other layout servers", OTHERS, SMALL);
  }

  static Stream<Arguments> largeLeases() {
    return Stream.of(
        Arguments.of("a lost disk", LEASES.with("LostDisks", 1)),
        Arguments.of("two servers", LEASES.with("Servers", "{s1, s2}")),
        Arguments.of("three epochs", LEASES.with("LastEpoch", 3)));
  }

  @ParameterizedTest(name = "with {0}")
  @MethodSource("largeLeases")
  @EnabledIfSystemProperty(named = "spec.size", matches = "large")
  void answersAreOfTheNewestLayoutAtLargerSizes(String name, Model model) {
    holds(name, model, LARGE);
  }

  @ParameterizedTest(name = "without \"{0}\"")
  @ValueSource(
      strings = {"stop", "learned", "wait", "restart", "lost disk", "many promises", "many leases"})
  void leasesNeedEveryRule(String rule) {
    fails(rule, LEASES.with("LostDisks", 1).without(rule), "Answers_AreOfTheNewestLayout");
  }

  @ParameterizedTest(name = "without \"{0}\"")
  @ValueSource(strings = {"others", "of the epoch"})
  void otherLayoutServersNeedTheirRules(String rule) {
    fails(rule, OTHERS.without(rule), "Answers_AreOfTheNewestLayout");
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

  /** CorfuLog.tla lists the rules; README.md explains the counterexamples. */
  @ParameterizedTest(name = "without \"{0}\"")
  @CsvSource({
    "R1, I2_Durability",
    "R2, Head_KnowsOfAppends",
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

  /** The violation needs two reconfigurers that propose the same layout. */
  @Test
  void theLogNeedsOneWhoStartsTheSequencer() {
    fails("winner", LOG.without("winner"), "Tail_NeverBehindAnAppend");
  }

  static Stream<Arguments> rulesOfRebuilds() {
    Model noLoss = REBUILD.with("Losses", 0);
    Model nobodyLeaves = NAMED_TWICE.with("Leaving", "{}");
    return Stream.of(
        Arguments.of("served incarnation", REBUILD, "I1_WriteOnce"),
        Arguments.of("sealed incarnation", REBUILD.with("Replicas", 2), "I2_Durability"),
        Arguments.of("reset", REBUILD, "I3_Chain"),
        Arguments.of("late reset", noLoss.with("Resets", 2), "I2_Durability"),
        Arguments.of("empty or target", noLoss, "I2_Durability"),
        Arguments.of(
            "joins again", NAMED_TWICE.with("Busy", "{1}").with("LastEpoch", 3), "No_Alarm"),
        Arguments.of("trim target", TARGET, "I2_Durability"),
        Arguments.of("trimmed everywhere", TARGET, "I2_Durability"),
        Arguments.of("copy epoch", noLoss, "I2_Durability"),
        Arguments.of("compare", nobodyLeaves, "I2_Durability"),
        Arguments.of("every layout", nobodyLeaves, "I2_Durability"),
        Arguments.of("undecided", TARGET.with("Replicas", 2), "I2_Durability"),
        Arguments.of("seal target", TARGET.with("Losses", 1), "I2_Durability"),
        Arguments.of("seal chain", noLoss, "I2_Durability"),
        Arguments.of("count", LOST_CHAIN, "I2_Durability"),
        Arguments.of("issued", LOST_CHAIN, "I2_Durability"),
        Arguments.of("holds on", TARGET, "I1_WriteOnce"),
        Arguments.of("leases", TARGET, "I1_WriteOnce"));
  }

  @ParameterizedTest(name = "without \"{0}\"")
  @MethodSource("rulesOfRebuilds")
  void joiningNeedsEveryRule(String rule, Model model, String violated) {
    fails(rule, model.without(rule), violated);
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
    assertThat(verdict.distinctStates()).as("a model that does something").isGreaterThan(5_000);
  }

  private static void fails(String rule, Model model, String violated) {
    Verdict verdict = model.check("without " + rule, SMALL);
    System.out.printf(
        "%s without \"%s\": %s after %s%n",
        model.module(), rule, verdict.violated(), verdict.counterexample());
    assertThat(verdict.violated()).as("violated, see %s", verdict.log()).isEqualTo(violated);
  }
}
