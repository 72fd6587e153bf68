package corfu.runtime.reconfiguration;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.Wanted;
import corfu.protocol.message.Health;
import corfu.protocol.message.Health.State;
import corfu.protocol.message.LayoutReply.Complaint;
import corfu.protocol.message.LayoutReply.Observation;
import corfu.protocol.message.LayoutReply.Reports;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The conclusions from three layout servers' answers. */
final class ObserversTest {

  private static final Endpoint A = new Endpoint("a", 1);
  private static final Endpoint B = new Endpoint("b", 2);
  private static final Endpoint C = new Endpoint("c", 3);
  private static final Endpoint UNIT = new Endpoint("unit", 4);
  private static final Endpoint SPARE = new Endpoint("spare", 5);
  private static final Incarnation LIFE = new Incarnation(7);

  private final Layout layout =
      Layout.initial(
              new ClusterId(new UUID(1, 2)),
              List.of(A),
              List.of(A, B, C),
              List.of(UNIT, SPARE),
              new Wanted(1, 1))
          .withIncarnations(Map.of(), Map.of(UNIT, LIFE))
          .next();
  private final Map<Endpoint, List<Observation>> answers = new LinkedHashMap<>();

  private static Health health(State unit, Incarnation life) {
    return new Health(unit, State.ABSENT, State.ABSENT, life, Incarnation.NONE, "");
  }

  private void says(Endpoint observer, Endpoint server, long silent, long steady, Health health) {
    answers
        .computeIfAbsent(observer, fresh -> new ArrayList<>())
        .add(new Observation(server, silent, steady, health));
  }

  private void says(Endpoint observer, long silent, long steady) {
    says(observer, UNIT, silent, steady, health(State.SERVING, LIFE));
  }

  private ClusterHealth clusterHealth() {
    return Observers.combine(layout, answers, new FailureDetector(Duration.ofMillis(400)));
  }

  @Test
  void oneObserverThatIsCutOffFromAServerBringsNobodyUnderSuspicion() {
    says(A, 60_000, 0);
    says(B, 10, 60_000);
    says(C, 10, 60_000);

    assertThat(clusterHealth().suspects()).isEmpty();
  }

  @Test
  void aMajorityThatHasNotHeardOfAServerDoes() {
    says(A, 401, 0);
    says(B, 401, 0);
    says(C, 10, 60_000);

    assertThat(clusterHealth().suspects()).containsExactly(UNIT);
  }

  @Test
  void whoDoesNotAnswerIsNotCountedAsOneWhoHasNotHeard() {
    says(A, 401, 0);
    says(B, 400, 0);

    assertThat(clusterHealth().suspects()).isEmpty();
    assertThat(clusterHealth().hasMajority()).isTrue();
  }

  @Test
  void oneOfThreeIsNoMajority() {
    says(B, 401, 0);

    assertThat(clusterHealth().hasMajority()).isFalse();
    assertThat(clusterHealth().first()).contains(B);
  }

  @Test
  void whoHasNeverBeenHeardOfMayStillBeStarting() {
    for (Endpoint observer : List.of(A, B, C)) {
      says(observer, UNIT, 2_000, 0, Health.UNKNOWN);
    }
    assertThat(clusterHealth().suspects()).isEmpty();

    answers.clear();
    for (Endpoint observer : List.of(A, B, C)) {
      says(observer, UNIT, 2_001, 0, Health.UNKNOWN);
    }
    assertThat(clusterHealth().suspects()).containsExactly(UNIT);
  }

  @Test
  void whoSaysThatItIsBrokenIsBelieved() {
    says(A, UNIT, 300, 60_000, health(State.SERVING, LIFE));
    says(B, UNIT, 10, 60_000, health(State.BROKEN, LIFE));
    says(C, UNIT, 300, 60_000, health(State.SERVING, LIFE));

    assertThat(clusterHealth().suspects()).containsExactly(UNIT);
  }

  @Test
  void whoHasLostTheDiskThatTheLayoutReliesOnIsOfNoUse() {
    for (Endpoint observer : List.of(A, B, C)) {
      says(observer, UNIT, 10, 60_000, health(State.IDLE, new Incarnation(8)));
    }

    assertThat(clusterHealth().suspects()).containsExactly(UNIT);
  }

  @Test
  void aSpareMayBeUsedWhenAMajorityHasHeardOfItForASecond() {
    Health idle = health(State.IDLE, new Incarnation(9));
    says(A, SPARE, 10, 999, idle);
    says(B, SPARE, 10, 1_000, idle);
    says(C, SPARE, 10, 0, idle);
    assertThat(clusterHealth().livingSpares()).containsExactly(SPARE);
    assertThat(clusterHealth().usableSpares()).isEmpty();

    answers.clear();
    says(A, SPARE, 10, 1_000, idle);
    says(B, SPARE, 10, 1_000, idle);
    assertThat(clusterHealth().usableSpares()).containsExactly(SPARE);
  }

  @Test
  void aSpareWithoutALogUnitThatWorksIsNotUsed() {
    says(A, SPARE, 10, 60_000, health(State.BROKEN, new Incarnation(9)));
    says(B, SPARE, 10, 60_000, health(State.BROKEN, new Incarnation(9)));

    assertThat(clusterHealth().livingSpares()).isEmpty();
  }

  @Test
  void layoutServersThatLiveSayWhichDisksTheyHave() {
    Health acceptor =
        new Health(
            State.ABSENT, State.ABSENT, State.SERVING, Incarnation.NONE, new Incarnation(3), "");
    says(A, B, 401, 0, acceptor);
    says(C, B, 401, 0, acceptor);
    says(A, C, 10, 10, acceptor);

    assertThat(clusterHealth().layoutServers()).isEqualTo(Map.of(C, new Incarnation(3)));
  }

  /** Regression: the server was not suspected while appends that needed it failed. */
  @Test
  void anObserverThatHasJustStartedBelievesOneThatKnewTheServer() {
    says(A, UNIT, 401, 0, Health.UNKNOWN);
    says(B, 401, 0);

    assertThat(clusterHealth().suspects()).containsExactly(UNIT);
  }

  private Set<Endpoint> unreachable(Reports... told) {
    return Observers.withReports(clusterHealth(), List.of(told)).unreachable();
  }

  private static Reports reports(int active, int known, int missing) {
    return new Reports(active, known, List.of(new Complaint(UNIT, missing)));
  }

  @Test
  void moreThanHalfOfTheActiveClientsMakeAServerUnreachable() {
    Reports half = reports(4, 4, 2);
    Reports more = reports(4, 4, 3);

    assertThat(unreachable(half, half, half)).isEmpty();
    assertThat(unreachable(more, more, more)).containsExactly(UNIT);
  }

  @Test
  void oneClientIsBelievedOnlyIfNoOtherIsKnown() {
    Reports otherPauses = reports(1, 2, 1);
    Reports single = reports(1, 1, 1);

    assertThat(unreachable(otherPauses, otherPauses, otherPauses)).isEmpty();
    assertThat(unreachable(single, single, single)).containsExactly(UNIT);
  }

  @Test
  void aMajorityOfAllLayoutServersHasToBeTold() {
    Reports told = reports(2, 2, 2);

    assertThat(unreachable(told)).isEmpty();
    assertThat(unreachable(told, Reports.NONE, Reports.NONE)).isEmpty();
    assertThat(unreachable(told, told)).containsExactly(UNIT);
  }

  @Test
  void aServerThatClientsDoNotReachIsNeitherSuspectedNorUsableAsASpare() {
    Health idle = health(State.IDLE, new Incarnation(9));
    says(A, SPARE, 10, 60_000, idle);
    says(B, SPARE, 10, 60_000, idle);
    assertThat(clusterHealth().usableSpares()).containsExactly(SPARE);

    Reports told = new Reports(2, 2, List.of(new Complaint(SPARE, 2)));
    ClusterHealth clusterHealth = Observers.withReports(clusterHealth(), List.of(told, told));

    assertThat(clusterHealth.suspects()).isEmpty();
    assertThat(clusterHealth.usableSpares()).isEmpty();
    assertThat(clusterHealth.livingSpares()).isEmpty();
  }

  @Test
  void aSequencerThatClientsDoNotReachIsPassedOverOnceItIsToLeave() {
    says(
        A,
        UNIT,
        10,
        60_000,
        new Health(
            State.ABSENT, State.SERVING, State.ABSENT, Incarnation.NONE, Incarnation.NONE, ""));
    ClusterHealth reached = clusterHealth().suspectingToo(UNIT);
    Reports told = reports(2, 2, 2);

    assertThat(reached.deafSequencers()).isEmpty();
    assertThat(Observers.withReports(reached, List.of(told, told)).deafSequencers())
        .containsExactly(UNIT);
  }
}
