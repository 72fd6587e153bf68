package corfu.node.agent;

import static corfu.node.agent.ClusterHealths.A;
import static corfu.node.agent.ClusterHealths.B;
import static corfu.node.agent.ClusterHealths.C;
import static corfu.node.agent.ClusterHealths.D;
import static corfu.node.agent.ClusterHealths.closed;
import static corfu.node.agent.ClusterHealths.open;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.node.agent.ClusterProblem.Kind;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.ChainLayout;
import corfu.protocol.layout.LayoutSegment;
import corfu.protocol.layout.Wanted;
import corfu.protocol.message.Health.State;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An agent's findings from its outlooks. */
final class WatchTest {

  private static final long TRUST = 10_000;

  private final ClusterHealths cluster = new ClusterHealths();
  private final Watch watch =
      new Watch(Duration.ofMillis(TRUST), Duration.ofMillis(300), Duration.ofMillis(400));
  private long now;

  private HealthAssessment look() {
    return watch.look(cluster.clusterHealth(), now);
  }

  private HealthAssessment lookAfter(long millis) {
    now += millis;
    return look();
  }

  private static ClusterProblem ailment(Endpoint server, Kind kind) {
    return ClusterProblem.of(server, kind);
  }

  @Test
  void nothingAilsAHealthyClusterAndItsSpareMayBeUsed() {
    HealthAssessment finding = look();

    assertThat(finding.ailments()).isEmpty();
    assertThat(finding.rebuild()).isEmpty();
    assertThat(finding.clusterHealth().usableSpares()).containsExactly(D);
  }

  @Test
  void aUnitThatFellSilentIsFoundAtOnce() {
    cluster.silent(B);

    assertThat(look().ailments()).containsExactly(ailment(B, Kind.SILENT));
  }

  @Test
  void aSpareThatFellSilentIsJustNotUsable() {
    cluster.silent(D);

    assertThat(look().ailments()).isEmpty();
    assertThat(look().clusterHealth().usableSpares()).isEmpty();
  }

  @Test
  void aUnitThatLostItsDiskIsFoundAtOnce() {
    cluster.lostDisk(C);

    assertThat(look().ailments()).containsExactly(ailment(C, Kind.FORGETFUL_UNIT));
  }

  @Test
  void aSequencerWhoseUnitWasDrainedHasLostNoDiskWhenItIsSilent() {
    cluster.drained(A).silent(A);

    assertThat(look().ailments()).containsExactly(ailment(A, Kind.SILENT));
  }

  @Test
  void aLayoutServerThatLostItsDiskIsFoundAtOnce() {
    cluster.acceptor(C, 77);

    assertThat(look().ailments()).containsExactly(ailment(C, Kind.UNNAMED_LAYOUT_SERVER));
  }

  @Test
  void aSequencerThatRestartedMayTakeAMomentToBeStartedButNotLonger() {
    cluster.sequencer(A, State.IDLE);

    assertThat(look().ailments()).isEmpty();
    assertThat(lookAfter(300).ailments()).isEmpty();
    assertThat(lookAfter(1).ailments()).containsExactly(ailment(A, Kind.SEQUENCER_AT_REST));
  }

  @Test
  void aSequencerThatStandsByMayRest() {
    cluster.sequencer(B, State.SEALED);
    look();

    assertThat(lookAfter(60_000).ailments()).isEmpty();
  }

  @Test
  void aReconfigurationThatSomebodyLeftHalfDoneIsFound() {
    cluster.unit(A, State.SEALED).unit(B, State.SEALED);
    look();

    assertThat(lookAfter(600).ailments()).isEmpty();
    assertThat(lookAfter(1).ailments())
        .containsExactly(ailment(A, Kind.UNIT_AT_REST), ailment(B, Kind.UNIT_AT_REST));
  }

  @Test
  void aReconfigurationThatWaitsForLongLeasesIsLeftAlone() {
    Watch patient =
        new Watch(Duration.ofMillis(TRUST), Duration.ofSeconds(1), Duration.ofMillis(400));
    cluster.unit(A, State.SEALED);
    patient.look(cluster.clusterHealth(), 0);

    assertThat(patient.look(cluster.clusterHealth(), 2_000).ailments()).isEmpty();
    assertThat(patient.look(cluster.clusterHealth(), 2_001).ailments())
        .containsExactly(ailment(A, Kind.UNIT_AT_REST));
  }

  @Test
  void whoServedInBetweenBeginsToRestAnew() {
    cluster.sequencer(A, State.SEALED);
    look();
    now += 500;
    cluster.sequencer(A, State.SERVING);
    look();
    cluster.sequencer(A, State.SEALED);
    lookAfter(500);

    assertThat(lookAfter(500).ailments()).isEmpty();
  }

  @Test
  void anOpenSegmentThatIsTooSmallWaitsForASpare() {
    cluster.next(open(0, A, C)).silent(B).silent(D);
    assertThat(look().ailments()).isEmpty();

    cluster.steady(D, 999);
    assertThat(look().ailments()).isEmpty();
    cluster.steady(D, 1_000);
    assertThat(look().ailments()).extracting(ClusterProblem::kind).containsExactly(Kind.TOO_SMALL);
  }

  @Test
  void aClosedSegmentWithTooFewCopiesNeedsNoSpareWhereOtherUnitsAreLeft() {
    cluster.next(closed(List.of(A), List.of()), open(100, A, C, D)).silent(B);

    assertThat(look().ailments()).extracting(ClusterProblem::kind).containsExactly(Kind.TOO_SMALL);
  }

  @Test
  void aSegmentWithoutTheStreamReplicasThatAreWantedIsTooSmallWhereSomebodyCanBeOne() {
    Wanted wanted = new Wanted(3, 2, 1);
    cluster.next(wanted, open(0, A, B)).silent(C).silent(D);
    assertThat(look().ailments()).as("all that are left hold the log").isEmpty();

    cluster.steady(D, 1_000);
    assertThat(look().ailments()).extracting(ClusterProblem::kind).containsExactly(Kind.TOO_SMALL);

    ChainLayout whole = new ChainLayout(open(0, A, B).log(), List.of(new Chain(List.of(C))));
    cluster.silent(D).steady(C, 1_000);
    cluster.next(
        wanted,
        closed(List.of(A, B), List.of()),
        new LayoutSegment(100, LayoutSegment.OPEN, whole));
    assertThat(look().ailments()).extracting(ClusterProblem::kind).containsExactly(Kind.TOO_SMALL);

    cluster.next(wanted, new LayoutSegment(0, LayoutSegment.OPEN, whole));
    assertThat(look().ailments()).isEmpty();
  }

  @Test
  void nothingIsCopiedForStreamsWhileAReplicaToComeIsSilent() {
    ChainLayout both =
        new ChainLayout(List.of(new Chain(List.of(A, B))), List.of(new Chain(List.of(D))));
    LayoutSegment segment = closed(List.of(A, B), List.of()).withTarget(Optional.of(both));
    cluster.next(segment, open(100, A, B, C));
    assertThat(look().rebuild()).hasValue(0);

    cluster.silent(D);
    assertThat(look().rebuild()).isEmpty();
  }

  @Test
  void aSegmentWithATargetIsCopiedAndIsNotTooSmallAnyMore() {
    cluster.next(closed(List.of(A), List.of(A, D)), open(100, A, C, D)).silent(B);

    assertThat(look().ailments()).isEmpty();
    assertThat(look().rebuild()).hasValue(0);
  }

  @Test
  void nothingIsCopiedToOrFromASilentServer() {
    cluster.next(closed(List.of(A), List.of(A, D)), open(100, A, C, D)).silent(D);

    assertThat(look().rebuild()).isEmpty();
  }

  @Test
  void aUnitThatWasDroppedMustLiveForAWhileBeforeItIsUsedAgain() {
    look();
    cluster.next(open(0, A, C, D));
    look();

    assertThat(lookAfter(TRUST - 1).clusterHealth().usableSpares()).isEmpty();
    assertThat(lookAfter(1).clusterHealth().usableSpares()).containsExactly(B);
  }

  @Test
  void aUnitThatWasDroppedAndCameBackLaterMustLiveForAWhileFromThenOn() {
    look();
    cluster.next(open(0, A, C, D)).silent(B);
    look();

    now += 60_000;
    cluster.steady(B, TRUST - 1);
    assertThat(look().clusterHealth().usableSpares()).isEmpty();
    cluster.steady(B, TRUST);
    assertThat(look().clusterHealth().usableSpares()).containsExactly(B);
  }

  @Test
  void aUnitThatComesAndGoesMustLiveTwiceAsLongEachTime() {
    look();
    cluster.next(open(0, A, C, D));
    look();
    cluster.next(open(0, A, C, B));
    lookAfter(TRUST);
    cluster.next(open(0, A, C, D));
    lookAfter(1);

    assertThat(lookAfter(2 * TRUST - 1).clusterHealth().usableSpares()).isEmpty();
    assertThat(lookAfter(1).clusterHealth().usableSpares()).containsExactly(B);
  }

  @Test
  void whatHappenedLongAgoIsForgiven() {
    look();
    cluster.next(open(0, A, C, D)).silent(B);
    look();
    now += Duration.ofHours(1).toMillis() + 1;
    cluster.steady(B, 1_000);

    assertThat(look().clusterHealth().usableSpares()).containsExactly(B);
  }

  @Test
  void nobodyIsAskedToLiveForLongerThanFiveMinutes() {
    for (int i = 0; i < 20; i++) {
      cluster.next(open(0, A, C, B));
      lookAfter(1);
      cluster.next(open(0, A, C, D));
      lookAfter(1);
    }

    now += Duration.ofMinutes(5).toMillis();
    cluster.steady(B, Duration.ofMinutes(5).toMillis());
    assertThat(look().clusterHealth().usableSpares()).containsExactly(B);
  }
}
