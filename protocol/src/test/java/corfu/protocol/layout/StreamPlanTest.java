package corfu.protocol.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Plans for layouts in which streams have replicas of their own. */
class StreamPlanTest {

  private static final Chain LOST = new Chain(List.of());

  private static Endpoint unit(int number) {
    return new Endpoint("f" + number, 9000);
  }

  private static List<Endpoint> units(int... numbers) {
    return IntStream.of(numbers).mapToObj(StreamPlanTest::unit).toList();
  }

  private static Chain chain(int... numbers) {
    return new Chain(units(numbers));
  }

  private static List<Chain> ring(int replicas, int... numbers) {
    return Layout.ring(units(numbers), replicas);
  }

  private static LayoutSegment open(long start, List<Chain> log, List<Chain> stream) {
    return new LayoutSegment(start, LayoutSegment.OPEN, new ChainLayout(log, stream));
  }

  private static LayoutSegment closed(long start, long end, List<Chain> log, List<Chain> stream) {
    return new LayoutSegment(start, end, new ChainLayout(log, stream));
  }

  private static LayoutSegment aimed(LayoutSegment segment, List<Chain> log, List<Chain> stream) {
    return segment.withTarget(Optional.of(new ChainLayout(log, stream)));
  }

  private static Layout layout(Wanted wanted, List<Endpoint> spares, LayoutSegment... segments) {
    List<Member> members = new ArrayList<>();
    List.of(segments).stream()
        .flatMap(segment -> segment.units().stream())
        .distinct()
        .forEach(unit -> members.add(new Member(unit, new Incarnation(7))));
    spares.forEach(spare -> members.add(Member.spare(spare)));
    return new Layout(
        new ClusterId(new UUID(1, 2)),
        new Epoch(5),
        wanted,
        units(0),
        List.of(new Member(unit(0), new Incarnation(1))),
        members,
        List.of(segments));
  }

  /** Returns a layout in which units 0 to 3 hold the log, and units 4 and 5 hold streams. */
  private static Layout sixUnits(int... spares) {
    return layout(
        new Wanted(6, 2, 1),
        units(spares),
        open(0, ring(2, 0, 1, 2, 3), List.of(chain(4), chain(5))));
  }

  /** Returns a layout in which units 0 to 2 hold the log, and units 3 to 5 hold streams. */
  private static Layout evenHalves(int... spares) {
    return layout(new Wanted(6, 2, 2), units(spares), open(0, ring(2, 0, 1, 2), ring(2, 3, 4, 5)));
  }

  private static PlanInput calm(long tail) {
    return without(tail);
  }

  private static PlanInput without(long tail, int... numbers) {
    return new PlanInput(Set.copyOf(units(numbers)), Map.of(), Map.of(), tail, 0);
  }

  private static PlanInput with(long tail, Set<Endpoint> gone, int... fresh) {
    Map<Endpoint, Incarnation> lives =
        IntStream.of(fresh)
            .boxed()
            .collect(Collectors.toMap(StreamPlanTest::unit, n -> new Incarnation(100 + n)));
    return new PlanInput(gone, lives, Map.of(), tail, 0);
  }

  private static Layout copied(Layout layout, long tail) {
    Layout done = layout;
    for (LayoutSegment segment : layout.segments()) {
      done = segment.hasTarget() ? Plan.withCopied(done, done, segment.start()) : done;
    }
    return Plan.next(done, calm(tail));
  }

  @Test
  void aNewClusterHasAUnitForStreamsForEveryTwoOfTheLog() {
    Layout layout =
        Layout.initial(
            new ClusterId(new UUID(1, 2)),
            units(0),
            units(0),
            units(0, 1, 2, 3, 4, 5, 6),
            new Wanted(6, 2, 1));
    assertThat(layout.segments()).isEqualTo(sixUnits().segments());
    assertThat(layout.spares()).containsExactly(unit(6));
  }

  @Test
  void theLogComesFirstWhereUnitsAreFew() {
    Wanted wanted = new Wanted(9, 2, 2);
    assertThat(IntStream.rangeClosed(1, 9).map(wanted::streamUnits))
        .containsExactly(0, 0, 1, 2, 3, 3, 4, 4, 5);
    assertThat(new Wanted(9, 3, 1).streamUnits(9)).isEqualTo(2);
    assertThat(new Wanted(9, 1, 3).streamUnits(4)).isEqualTo(3);
    assertThat(new Wanted(9, 2).streamUnits(9)).isZero();
  }

  @Test
  void moreCopiesThanUnitsAreNotWanted() {
    assertThatThrownBy(() -> new Wanted(3, 2, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("on 3 log units");
  }

  @Test
  void whereNothingIsToBeDoneOnlyTheEpochChanges() {
    assertThat(Plan.next(sixUnits(), calm(100))).isEqualTo(sixUnits().next());
    assertThat(LayoutDiff.by(sixUnits(), sixUnits().next()))
        .as("the heads tell the tail")
        .containsExactlyInAnyOrderElementsOf(units(0, 1, 2, 3));
  }

  @Test
  void aStreamReplicaThatIsGoneLeavesItsChainsAndTheOthersTakeItsPart() {
    Layout next = Plan.next(evenHalves(), without(100, 4));
    List<Chain> log = ring(2, 0, 1, 2);
    assertThat(next.segments())
        .containsExactly(
            aimed(
                closed(0, 100, log, List.of(chain(3), chain(5), chain(5, 3))),
                log,
                List.of(chain(3, 5), chain(5, 3), chain(5, 3))),
            open(100, ChainLayout.turned(log, 0, 100), ring(2, 3, 5)));
    assertThat(next.spares()).containsExactly(unit(4));
  }

  @Test
  void aSpareTakesTheVeryPlaceOfAStreamReplica() {
    Layout next = Plan.next(evenHalves(6), with(100, Set.of(unit(4)), 6));
    assertThat(next.openSegment().stream()).isEqualTo(ring(2, 3, 6, 5));
    assertThat(next.segments().getFirst().target().orElseThrow().stream())
        .isEqualTo(next.openSegment().stream());

    Layout whole = copied(next, 150);

    assertThat(whole.segments()).containsExactly(open(0, ring(2, 0, 1, 2), ring(2, 3, 6, 5)));
  }

  @Test
  void aStreamChainThatHasLostItsLastReplicaIsDoneWithoutAndRestored() {
    Layout next = Plan.next(sixUnits(), without(100, 4));
    List<Chain> log = ring(2, 0, 1, 2, 3);
    assertThat(next.segments())
        .containsExactly(
            aimed(closed(0, 100, log, List.of()), log, List.of(chain(5))),
            open(100, log, List.of(chain(5))));
    assertThat(copied(next, 120).segments()).containsExactly(open(0, log, List.of(chain(5))));
  }

  @Test
  void withoutAnyStreamReplicaThereAreLogChainsOnlyUntilASpareComes() {
    Layout layout =
        layout(new Wanted(3, 2, 1), List.of(), open(0, ring(2, 0, 1), List.of(chain(2))));

    Layout less = Plan.next(layout, without(100, 2));
    assertThat(less.segments())
        .as("the log has everything, and goes on as before")
        .containsExactly(open(0, ring(2, 0, 1), List.of()));
    assertThat(less.wanted()).isEqualTo(new Wanted(3, 2, 1));

    Layout more = Plan.next(less, with(200, Set.of(), 2));
    assertThat(more.openSegment()).isEqualTo(open(200, ring(2, 0, 1), List.of(chain(2))));
    assertThat(more.segments().getFirst())
        .isEqualTo(
            aimed(closed(0, 200, ring(2, 0, 1), List.of()), ring(2, 0, 1), List.of(chain(2))));
    assertThat(copied(more, 200).segments())
        .containsExactly(open(0, ring(2, 0, 1), List.of(chain(2))));
  }

  @Test
  void aUnitThatHoldsStreamsHoldsTheLogWhereThatWouldHaveTooFewCopies() {
    Layout layout =
        layout(new Wanted(3, 2, 1), List.of(), open(0, ring(2, 0, 1), List.of(chain(2))));

    Layout less = Plan.next(layout, without(100, 1));

    assertThat(less.openSegment()).isEqualTo(open(100, ring(2, 0, 2), List.of()));
    assertThat(less.segments().getFirst())
        .as("what it has of streams it serves until it has the log")
        .isEqualTo(
            aimed(
                closed(0, 100, List.of(chain(0), chain(0)), List.of(chain(2))),
                List.of(chain(0, 2), chain(2, 0)),
                List.of()));

    Layout more = Plan.next(less, with(200, Set.of(), 1));

    assertThat(more.openSegment()).isEqualTo(open(200, ring(2, 0, 2), List.of(chain(1))));
    assertThat(copied(more, 200).segments())
        .containsExactly(open(0, ring(2, 0, 2), List.of(chain(1))));
  }

  @Test
  void aLogChainThatHasLostItsLastReplicaIsRestoredFromTheReplicasOfStreams() {
    Layout old = evenHalves();
    List<Chain> stream = ring(2, 3, 4, 5);

    Layout next = Plan.next(old, without(100, 0, 1));

    assertThat(next.openSegment().start()).as("appends go on").isEqualTo(100);
    LayoutSegment closed = next.segments().getFirst();
    assertThat(closed.serving())
        .isEqualTo(new ChainLayout(List.of(LOST, chain(2), chain(2)), stream));
    assertThat(closed.target().orElseThrow().log())
        .allMatch(chain -> chain.replicas().size() == 2)
        .noneMatch(chain -> chain.replicas().contains(unit(0)));
    assertThat(LayoutDiff.by(old, next))
        .as("what nobody of the log can tell any more, all of the streams do")
        .containsAll(units(2, 3, 4, 5));
    assertThat(copied(next, 150).segments()).noneMatch(segment -> segment.serving().isAnyLost());
    assertThatThrownBy(() -> next.chainOf(0).tail()).isInstanceOf(LostChainException.class);
    assertThat(LayoutJson.parse(LayoutJson.compact(next))).isEqualTo(next);
  }

  @Test
  void whereALogChainAndAStreamChainAreLostAppendsWaitForOneOfTheirUnits() {
    assertThatThrownBy(() -> Plan.next(evenHalves(), without(100, 0, 1, 3, 4)))
        .isInstanceOf(LastReplicaException.class)
        .hasMessageContaining("[f0:9000, f1:9000], and of a stream chain: [f3:9000, f4:9000]");
    assertThatThrownBy(() -> Plan.next(sixUnits(), without(100, 2, 3, 5)))
        .isInstanceOf(LastReplicaException.class);
  }

  @Test
  void anOldSegmentOfWhichALogChainAndAStreamChainAreLostWaitsForWhoeverComesBack() {
    ChainLayout before = new ChainLayout(List.of(chain(5), chain(0)), List.of(chain(6), chain(7)));
    Layout layout =
        layout(
            new Wanted(3, 1, 1),
            List.of(),
            new LayoutSegment(0, 10, before),
            open(10, List.of(chain(0), chain(1)), List.of(chain(2))));

    Layout both = Plan.next(layout, without(30, 5, 6));
    assertThat(both.segments().getFirst().serving()).isEqualTo(before);

    Layout stream = Plan.next(both, without(30, 5));
    assertThat(stream.segments().getFirst().log()).containsExactly(LOST, chain(0));
    assertThat(stream.segments().getFirst().stream()).isEqualTo(before.stream());

    Layout log = Plan.next(both, without(30, 6));
    assertThat(log.segments().getFirst().log()).isEqualTo(before.log());
    assertThat(log.segments().getFirst().stream()).isEmpty();
  }

  @Test
  void aStreamChainThatHasTheOnlyCopiesIsNotDoneWithout() {
    Layout lost = Plan.next(evenHalves(), without(100, 0, 1));

    Layout next = Plan.next(lost, without(200, 3, 4));

    LayoutSegment closed = next.segments().getFirst();
    assertThat(closed.log().getFirst()).isEqualTo(LOST);
    assertThat(closed.stream())
        .as("what is left of the others, and all that is gone of the one")
        .containsExactly(chain(3, 4), chain(5), chain(5));
    assertThat(next.incarnationOf(unit(3))).isEqualTo(new Incarnation(7));
  }

  @Test
  void whoHasTheOnlyCopyOfALostChainIsNotForgotten() {
    Layout lost = Plan.next(evenHalves(), without(100, 0, 1));
    assertThatThrownBy(() -> LayoutChanges.without(lost, unit(3), Set.copyOf(units(2, 5))))
        .as("of the stream chain 3, 4 nobody would live")
        .isInstanceOf(WishRefusedException.class)
        .hasMessageContaining("addresses from 0 on");
    Layout whole = evenHalves();
    assertThat(LayoutChanges.without(whole, unit(1), Set.copyOf(units(2, 3, 4, 5, 6, 7))))
        .as("the streams have what the log chain 0, 1 had")
        .isNotEqualTo(whole);
  }

  @Test
  void aFailureOfTheLogLeavesStreamsAlone() {
    Layout next = Plan.next(sixUnits(), without(100, 3));
    assertThat(next.segments())
        .containsExactly(
            aimed(
                closed(
                    0,
                    100,
                    List.of(chain(0, 1), chain(1, 2), chain(2), chain(0)),
                    List.of(chain(4), chain(5))),
                List.of(chain(0, 1), chain(1, 2), chain(2, 0), chain(0, 1)),
                List.of(chain(4), chain(5))),
            open(100, ChainLayout.turned(ring(2, 0, 1, 2), 0, 100), List.of(chain(4), chain(5))));
  }

  @Test
  void aSpareGoesWhereItIsMissed() {
    Layout lessLog = copied(Plan.next(sixUnits(), without(100, 3)), 150);
    assertThat(Plan.next(lessLog, with(200, Set.of(), 3)).openSegment().log()).hasSize(4);

    Layout lessStreams = copied(Plan.next(sixUnits(), without(100, 4)), 150);
    assertThat(Plan.next(lessStreams, with(200, Set.of(), 4)).openSegment().stream())
        .containsExactly(chain(5), chain(4));
  }

  @Test
  void aClusterOfLogReplicasGetsStreamReplicasWhenTheyAreWanted() {
    List<Chain> all = ring(2, 0, 1, 2);
    Layout layout = layout(new Wanted(3, 2), units(3), open(0, all, List.of()));

    Layout next = Plan.next(Plan.withWanted(layout, new Wanted(4, 2, 1)), with(100, Set.of(), 3));

    assertThat(next.openSegment())
        .isEqualTo(open(100, ChainLayout.turned(all, 0, 100), List.of(chain(3))));
    assertThat(next.segments().getFirst().target().orElseThrow().stream())
        .containsExactly(chain(3));
    assertThat(copied(next, 150).segments()).hasSize(1);
  }

  @Test
  void unitsOfStreamsHoldTheLogWhereStreamReplicasAreNotWantedAnyMore() {
    Layout next = Plan.next(Plan.withWanted(sixUnits(), new Wanted(6, 2)), calm(100));
    assertThat(next.openSegment().stream()).isEmpty();
    assertThat(next.openSegment().units()).hasSize(6);
    assertThat(next.segments().getFirst())
        .as("what is there need not be thrown away")
        .isEqualTo(new LayoutSegment(0, 100, sixUnits().openSegment().serving()));
  }

  @Test
  void aRetiringStreamReplicaServesUntilAnotherHasWhatItHas() {
    Layout moving = Plan.next(Plan.withRetiring(sixUnits(6), unit(5)), with(100, Set.of(), 6));
    assertThat(moving.openSegment().stream()).containsExactly(chain(4), chain(6));
    assertThat(moving.segments().getFirst().stream()).containsExactly(chain(4), chain(5));

    Layout moved = copied(moving, 120);

    assertThat(moved.segments()).hasSize(1);
    assertThat(moved.units()).extracting(Member::endpoint).doesNotContain(unit(5));
  }

  @Test
  void aTargetOfWhichAStreamReplicaIsGoneBecomesAnotherAndTheLogIsCopiedOn() {
    Layout first = Plan.next(evenHalves(6, 7), with(100, Set.of(unit(1), unit(4)), 6, 7));
    var aim = first.segments().getFirst().target().orElseThrow();
    assertThat(aim).isEqualTo(new ChainLayout(ring(2, 0, 6, 2), ring(2, 3, 7, 5)));

    Layout second = Plan.next(first, without(150, 7));

    assertThat(second.segments()).noneMatch(segment -> segment.units().contains(unit(7)));
    assertThat(second.segments().getFirst().target().orElseThrow())
        .isEqualTo(new ChainLayout(aim.log(), List.of(chain(3, 5), chain(5, 3), chain(5, 3))));
  }

  @Test
  void theMembersOfAStreamChainThatChangesAreSealedBesidesTheHeads() {
    Layout old =
        layout(
            new Wanted(7, 2, 2),
            List.of(),
            closed(0, 100, List.of(chain(6, 0)), List.of(chain(3, 4), chain(5, 7))),
            open(100, List.of(chain(0, 1)), List.of(chain(2, 8))));
    Layout next =
        layout(
            old.wanted(),
            List.of(),
            closed(0, 100, List.of(chain(6, 0)), List.of(chain(3), chain(5, 7))),
            open(100, List.of(chain(0, 1)), List.of(chain(2, 8))));
    assertThat(LayoutDiff.by(old, next)).containsExactlyInAnyOrderElementsOf(units(0, 3, 4));
  }

  @Test
  void whoHoldsAnAddressIsSealedBeforeOthersShallKeepItsStreams() {
    Layout old =
        layout(
            new Wanted(4, 2, 1),
            units(3),
            closed(0, 100, List.of(chain(0, 1)), List.of()),
            open(100, List.of(chain(2)), List.of()));
    Layout next =
        layout(
            old.wanted(),
            List.of(),
            aimed(
                closed(0, 100, List.of(chain(0, 1)), List.of()),
                List.of(chain(0, 1)),
                List.of(chain(3))),
            open(100, List.of(chain(2)), List.of()));
    assertThat(LayoutDiff.by(old, next))
        .as("a trim in the old epoch would pass by the unit that joins")
        .containsExactlyInAnyOrderElementsOf(units(0, 1, 2));
    Layout done = Plan.withCopied(next, next, 0);
    assertThat(LayoutDiff.by(next, done)).containsExactlyInAnyOrderElementsOf(units(0, 1, 2, 3));
  }

  @Test
  void whereTheOpenSegmentGetsOtherStreamChainsNothingCanArriveAtTheOldOnes() {
    Layout old = sixUnits(6);
    Layout next = Plan.next(old, with(100, Set.of(unit(5)), 6));
    assertThat(LayoutDiff.by(old, next)).containsAll(units(0, 1, 2, 3, 5));
  }

  @Test
  void segmentsMergeOnlyWhereStreamsHaveTheSameChainsToo() {
    List<Chain> log = List.of(chain(0, 1));
    Layout layout =
        layout(
            new Wanted(4, 2, 1),
            List.of(),
            closed(0, 7, log, List.of(chain(2), chain(3))),
            closed(7, 9, log, List.of(chain(3), chain(2))),
            closed(9, 12, log, List.of(chain(2), chain(3))),
            open(12, log, List.of(chain(2), chain(3))));
    assertThat(Plan.next(layout, calm(20)).segments())
        .containsExactly(
            closed(0, 7, log, List.of(chain(2), chain(3))),
            closed(7, 9, log, List.of(chain(3), chain(2))),
            open(9, log, List.of(chain(2), chain(3))));
  }

  @Test
  void aLayoutStaysSmallHoweverOftenUnitsOfBothKindsComeAndGo() {
    Layout layout = evenHalves();
    long tail = 0;
    int longest = 0;
    for (int i = 0; i < 2_000; i++) {
      tail += 1 + i % 7;
      int victim = i * 5 % 6;
      layout = Plan.next(layout, without(tail, victim));
      tail += 3;
      layout = Plan.next(layout, with(tail, Set.of(), victim));
      for (int round = 0; round < 4; round++) {
        layout = copied(layout, tail);
      }
      longest = Math.max(longest, LayoutJson.compact(layout).length());
    }
    assertThat(longest).as("bytes of the longest layout").isLessThan(10_000);
  }
}
