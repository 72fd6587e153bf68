package corfu.sim.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.sim.isolation.IsolationChecker.Clock;
import corfu.sim.isolation.ObservedTransaction.Access;
import corfu.sim.isolation.ObservedTransaction.Fate;
import corfu.sim.isolation.ObservedTransaction.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class IsolationCheckerTest {

  private final List<ObservedTransaction> history = new ArrayList<>();

  // --------------------------------------------------------------------------- explained histories

  @Test
  void nothingIsWrongWithNothing() {
    assertThat(anomalies()).isEmpty();
  }

  @Test
  void oneAfterTheOtherIsExplained() {
    committed("A", 0, 1, append("x", 1), append("y", 2));
    committed("B", 2, 3, list("x", 1), append("x", 3), list("x", 1, 3));
    committed("C", 4, 5, list("x", 1, 3), list("y", 2));

    assertThat(anomalies()).isEmpty();
  }

  @Test
  void whoOverlapsMayBeInAnyOrder() {
    committed("A", 0, 10, append("x", 1));
    committed("B", 1, 9, list("x"), append("y", 2));
    committed("C", 2, 8, list("x", 1), list("y", 2));

    assertThat(anomalies()).isEmpty();
  }

  @Test
  void whatNobodyWasToldOfMayHaveHappenedOrNot() {
    add("A", 0, ObservedTransaction.NEVER, Fate.UNKNOWN, Promise.STRICT, append("x", 1));
    add("B", 0, 5, Fate.UNKNOWN, Promise.STRICT, append("y", 2), list("x"));
    committed("C", 6, 7, list("x"), list("y"));
    committed("D", 8, 9, list("x", 1), list("y"));

    assertThat(anomalies()).isEmpty();
  }

  @Test
  void whoWasAbortedSawOneMoment() {
    committed("A", 0, 1, append("x", 1));
    add("B", 2, 9, Fate.ABORTED, Promise.STRICT, list("x", 1), append("x", 2), list("x", 1, 2));
    committed("C", 3, 4, append("x", 3));
    committed("D", 10, 11, list("x", 1, 3));

    assertThat(anomalies()).isEmpty();
  }

  @Test
  void whoWasAbortedMayHaveBegunAtWhatWasKnownIfItWasPromisedNoMore() {
    committed("A", 0, 1, append("x", 1));
    add("B", 2, 3, Fate.ABORTED, Promise.STRICT_IF_DONE, list("x"), append("x", 2));
    add("C", 4, 5, Fate.UNKNOWN, Promise.STRICT_IF_DONE, list("x"), append("x", 3));
    committed("D", 6, 7, list("x", 1));

    assertThat(anomalies()).isEmpty();
  }

  @Test
  void writeSkewIsExplainedUnderSnapshotIsolation() {
    snapshot("A", 0, 10, list("x"), append("y", 1));
    snapshot("B", 0, 10, list("y"), append("x", 2));
    committed("C", 11, 12, list("x", 2), list("y", 1));

    assertThat(anomalies()).isEmpty();
  }

  @Test
  void aPastSnapshotIsExplainedHoweverOldItIs() {
    committed("A", 0, 1, append("x", 1));
    committed("B", 2, 3, append("x", 2));
    add("C", 4, 5, Fate.COMMITTED, Promise.PAST, list("x", 1));

    assertThat(anomalies()).isEmpty();
  }

  @Test
  void aRegisterThatIsReadBeforeItIsWrittenIsExplained() {
    committed("A", 0, 1, saw("r", 0), wrote("r", 1));
    committed("B", 2, 3, saw("r", 1), wrote("r", 2), saw("r", 2), wrote("r", 3));
    committed("C", 4, 5, saw("r", 3));

    assertThat(anomalies()).isEmpty();
  }

  @Test
  void whatAnotherProcessWasToldNeedNotBeKnownWithoutASharedClock() {
    committed("A", 0, 1, append("x", 1));
    committed("B", 2, 3, list("x"));
    committed("A", 4, 5, list("x", 1));

    assertThat(IsolationChecker.anomalies(history, Clock.ONE_A_PROCESS)).isEmpty();
    assertOnly("G-single, read skew with real time");
  }

  // ------------------------------------------------------------------------------- each anomaly

  @Test
  void transactionsThatOverwriteEachOtherAreG0() {
    committed("A", 0, 9, append("x", 1), append("y", 2));
    committed("B", 0, 9, append("x", 3), append("y", 4));
    committed("C", 10, 11, list("x", 1, 3), list("y", 4, 2));

    assertOnly("G0, write cycle");
  }

  @Test
  void whatHasHappenedMustNotHaveBegunAtWhatWasKnown() {
    committed("A", 0, 1, append("x", 1));
    add("B", 2, 3, Fate.COMMITTED, Promise.STRICT_IF_DONE, list("x"));
    committed("C", 4, 5, list("x", 1));

    assertOnly("G-single, read skew with real time");
  }

  @Test
  void norIfItsEndIsNotKnownButItsChangeIs() {
    committed("A", 0, 1, append("x", 1));
    add("B", 2, 3, Fate.UNKNOWN, Promise.STRICT_IF_DONE, list("x"), append("y", 2));
    committed("C", 4, 5, list("x", 1), list("y", 2));

    assertOnly("G-single, read skew with real time");
  }

  @Test
  void anAbortedReadIsG1a() {
    add("A", 0, 1, Fate.ABORTED, Promise.STRICT, append("x", 1));
    committed("B", 2, 3, list("x", 1));

    assertOnly("G1a, aborted read");
  }

  @Test
  void anAbortedReadOfARegisterIsG1a() {
    add("A", 0, 1, Fate.ABORTED, Promise.STRICT, wrote("r", 1));
    committed("B", 2, 3, saw("r", 1));

    assertOnly("G1a, aborted read");
  }

  @Test
  void aReadInTheMiddleOfATransactionIsG1b() {
    committed("A", 0, 9, append("x", 1), append("x", 2));
    committed("B", 1, 8, list("x", 1));

    assertOnly("G1b, intermediate read");
  }

  @Test
  void transactionsThatSeeEachOtherAreG1c() {
    committed("A", 0, 9, append("x", 1), list("y", 2));
    committed("B", 0, 9, append("y", 2), list("x", 1));

    assertOnly("G1c, circular information flow");
  }

  @Test
  void whoSeesHalfOfATransactionIsGSingle() {
    committed("A", 0, 9, append("x", 1), append("y", 2));
    committed("B", 0, 9, list("x", 1), list("y"));
    committed("C", 10, 11, list("x", 1), list("y", 2));

    assertOnly("G-single, read skew:");
  }

  @Test
  void whoSeesHalfOfATransactionAndIsAbortedLaterIsGSingle() {
    committed("A", 0, 9, append("x", 1), append("y", 2));
    add("B", 0, 9, Fate.ABORTED, Promise.STRICT, list("x", 1), list("y"));
    committed("C", 10, 11, list("x", 1), list("y", 2));

    assertOnly("G-single, read skew:");
  }

  @Test
  void whoSeesHalfOfATransactionInThePastIsGSingle() {
    committed("A", 0, 1, append("x", 1), append("y", 2));
    add("B", 2, 3, Fate.COMMITTED, Promise.PAST, list("x", 1), list("y"));
    committed("C", 4, 5, list("x", 1), list("y", 2));

    assertOnly("G-single, read skew:");
  }

  @Test
  void writeSkewIsG2() {
    committed("A", 0, 9, list("x"), append("y", 1));
    committed("B", 0, 9, list("y"), append("x", 2));
    committed("C", 10, 11, list("x", 2), list("y", 1));

    assertOnly("G2, anti-dependency cycle:");
  }

  @Test
  void whatHasASnapshotMayReadBeforeAndWriteAfterAnother() {
    committed("A", 0, 9, list("x"), append("y", 1), append("z", 5));
    snapshot("B", 0, 9, list("y"), list("z"), append("x", 2));
    committed("C", 10, 11, list("x", 2), list("y", 1), list("z", 5));

    assertThat(anomalies()).isEmpty();
  }

  @Test
  void whatIsOverwrittenIsInTheSnapshot() {
    committed("A", 0, 9, list("x"), append("y", 1)); // before B
    committed("B", 0, 9, append("x", 2));
    snapshot("C", 0, 9, list("y"), append("x", 3)); // after B, but does not read A's append
    committed("D", 12, 13, list("x", 2, 3), list("y", 1));

    assertOnly("G2, anti-dependency cycle:");
  }

  @Test
  void aLostUpdateIsFoundUnderSnapshotIsolation() {
    snapshot("A", 0, 9, list("x"), append("x", 1));
    snapshot("B", 0, 9, list("x"), append("x", 2));
    committed("C", 10, 11, list("x", 1, 2));

    assertOnly("G-single, read skew:");
  }

  @Test
  void aLostUpdateOfARegisterIsFound() {
    committed("A", 0, 9, saw("r", 0), wrote("r", 1));
    committed("B", 0, 9, saw("r", 0), wrote("r", 2));

    assertThat(anomalies()).first().asString().startsWith("G-single, lost update");
  }

  @Test
  void aStaleReadContradictsRealTime() {
    committed("A", 0, 1, append("x", 1));
    committed("B", 2, 3, list("x"));
    committed("C", 4, 5, list("x", 1));

    assertOnly("G-single, read skew with real time");
  }

  @Test
  void aStaleReadOfTheSameProcessIsFoundWithoutASharedClock() {
    committed("A", 0, 1, append("x", 1));
    committed("A", 2, 3, list("x"));
    committed("A", 4, 5, list("x", 1));

    assertThat(IsolationChecker.anomalies(history, Clock.ONE_A_PROCESS))
        .singleElement()
        .asString()
        .startsWith("G-single, read skew with the order of a process");
  }

  @Test
  void whoWritesLaterIsLater() {
    committed("A", 0, 1, append("x", 1));
    committed("B", 2, 3, append("x", 2));
    committed("C", 4, 5, list("x", 2, 1));

    assertThat(anomalies()).singleElement().asString().contains("with real time");
  }

  @Test
  void twoStatesInOneTransactionAreInternal() {
    committed("A", 0, 9, append("x", 1));
    committed("B", 0, 9, list("x"), list("x", 1));

    assertThat(anomalies()).first().asString().startsWith("internal, read skew");
  }

  @Test
  void ownWritesThatAreNotSeenAreInternal() {
    committed("A", 0, 9, append("x", 1), list("x"));
    committed("B", 0, 9, wrote("r", 1), saw("r", 2));

    assertThat(anomalies())
        .anyMatch(each -> each.startsWith("internal, own writes"))
        .anyMatch(each -> each.startsWith("internal, registers"));
  }

  @Test
  void listsThatAreNotTheBeginningsOfEachOtherAreFound() {
    committed("A", 0, 9, append("x", 1));
    committed("B", 0, 9, append("x", 2));
    committed("C", 0, 9, list("x", 1, 2));
    committed("D", 0, 9, list("x", 2));

    assertThat(anomalies()).first().asString().startsWith("incompatible order");
  }

  @Test
  void whatNobodyWroteAndWhatIsThereTwiceIsFound() {
    committed("A", 0, 9, append("x", 1));
    committed("B", 0, 9, list("x", 1, 1));
    committed("C", 0, 9, list("y", 7));

    assertThat(anomalies())
        .anyMatch(each -> each.startsWith("duplicate"))
        .anyMatch(each -> each.startsWith("garbage read"));
  }

  @Test
  void whatIsLostIsFoundInTheEnd() {
    committed("A", 0, 1, append("x", 1));
    committed("B", 2, 3, append("x", 2));
    add("C", 4, 5, Fate.COMMITTED, Promise.LAST, list("x", 1));

    assertOnly("lost: x+2 of B");
  }

  @Test
  void theTransactionsOfACircleAreNamed() {
    committed("A", 0, 9, append("x", 1), append("y", 2));
    committed("B", 0, 9, list("x", 1), list("y"));
    committed("C", 10, 11, list("y", 2));

    assertThat(anomalies())
        .singleElement()
        .asString()
        .contains("A#0 is before B#1, which saw its", "B#1 is before A#0, which overwrote");
  }

  // ----------------------------------------------------------------------------------------------

  private void assertOnly(String start) {
    assertThat(anomalies()).singleElement().asString().startsWith(start);
  }

  private List<String> anomalies() {
    return IsolationChecker.anomalies(history, Clock.SHARED);
  }

  private void committed(String process, long invoked, long returned, Access... accesses) {
    add(process, invoked, returned, Fate.COMMITTED, Promise.STRICT, accesses);
  }

  private void snapshot(String process, long invoked, long returned, Access... accesses) {
    add(process, invoked, returned, Fate.COMMITTED, Promise.SNAPSHOT, accesses);
  }

  private void add(
      String process, long invoked, long returned, Fate fate, Promise promise, Access... accesses) {
    String name = process + "#" + history.size();
    history.add(
        new ObservedTransaction(
            name, process, invoked, returned, fate, promise, List.of(accesses)));
  }

  private static Access append(String list, long value) {
    return new Access.Appended(list, value);
  }

  private static Access list(String list, long... values) {
    return new Access.SawList(list, LongStream.of(values).boxed().toList());
  }

  private static Access wrote(String register, long value) {
    return new Access.Wrote(register, value);
  }

  private static Access saw(String register, long value) {
    return new Access.Saw(register, value);
  }
}
