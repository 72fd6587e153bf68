package corfu.protocol.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.PlanInput.TailBound;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PlanTest {

  private static final ClusterId CLUSTER = new ClusterId(new UUID(1, 2));

  private static Endpoint unit(int number) {
    return new Endpoint("f" + number, 9000);
  }

  private static List<Endpoint> units(int... numbers) {
    return IntStream.of(numbers).mapToObj(PlanTest::unit).toList();
  }

  private static Chain chain(int... numbers) {
    return new Chain(units(numbers));
  }

  private static Incarnation life(int number) {
    return new Incarnation(1000 + number);
  }

  private static Layout layout(Wanted wanted, List<Endpoint> spares, List<LayoutSegment> segments) {
    List<Member> members = new ArrayList<>();
    segments.stream()
        .flatMap(segment -> segment.units().stream())
        .distinct()
        .forEach(unit -> members.add(new Member(unit, new Incarnation(7))));
    spares.forEach(spare -> members.add(Member.spare(spare)));
    return new Layout(
        CLUSTER,
        new Epoch(5),
        wanted,
        units(0, 1),
        List.of(new Member(unit(0), life(0))),
        members,
        segments);
  }

  private static Layout ring(int count, int replicas, int... spares) {
    List<Endpoint> all = IntStream.range(0, count).mapToObj(PlanTest::unit).toList();
    return layout(
        new Wanted(count, replicas),
        units(spares),
        List.of(new LayoutSegment(0, LayoutSegment.OPEN, Layout.ring(all, replicas))));
  }

  private static PlanInput calm(long tail) {
    return new PlanInput(Set.of(), Map.of(), Map.of(), tail, 0);
  }

  private static PlanInput without(long tail, int... numbers) {
    return new PlanInput(Set.copyOf(units(numbers)), Map.of(), Map.of(), tail, 0);
  }

  private static PlanInput replacing(long tail, int gone, int... fresh) {
    return new PlanInput(
        Set.of(unit(gone)),
        IntStream.of(fresh).boxed().collect(Collectors.toMap(PlanTest::unit, PlanTest::life)),
        Map.of(),
        tail,
        0);
  }

  /** CORFU, figure 4; dissertation, figure 3.8. The figure's segment end is the open end here. */
  @Test
  void theSequenceOfProjectionsOfThePaper() {
    LayoutSegment old = new LayoutSegment(0, 40_000, List.of(chain(0, 1), chain(2, 3)));
    Layout a =
        layout(
            new Wanted(4, 2),
            units(8),
            List.of(
                old,
                new LayoutSegment(40_000, LayoutSegment.OPEN, List.of(chain(4, 5), chain(6, 7)))));

    Layout b = Plan.next(a, replacing(50_000, 6, 8));
    assertThat(b.segments())
        .containsExactly(
            old,
            new LayoutSegment(40_000, 50_000, List.of(chain(4, 5), chain(7)))
                .withTarget(Optional.of(new ChainLayout(List.of(chain(4, 5), chain(8, 7))))),
            new LayoutSegment(50_000, LayoutSegment.OPEN, List.of(chain(4, 5), chain(8, 7))));
    assertThat(b.incarnationOf(unit(8))).isEqualTo(life(8));
    assertThat(b.spares()).as("who failed waits in reserve").containsExactly(unit(6));
    assertThat(LayoutDiff.by(a, b)).containsExactlyInAnyOrderElementsOf(units(4, 6, 7));
    assertThat(LayoutDiff.losing(a, b, 50_000)).containsExactly(unit(6));

    Layout c = Plan.next(Plan.withCopied(b, b, 40_000), calm(60_000));
    assertThat(c.segments())
        .containsExactly(
            old, new LayoutSegment(40_000, LayoutSegment.OPEN, List.of(chain(4, 5), chain(8, 7))));

    Layout wanted =
        Plan.withWanted(Plan.withSpare(Plan.withSpare(c, unit(9)), unit(10)), new Wanted(6, 2));
    Layout d =
        Plan.next(
            wanted,
            new PlanInput(
                Set.of(), Map.of(unit(9), life(9), unit(10), life(10)), Map.of(), 80_000, 0));
    assertThat(d.segments()).hasSize(3);
    assertThat(d.segments().get(0)).isEqualTo(old);
    assertThat(d.segments().get(1))
        .isEqualTo(new LayoutSegment(40_000, 80_000, List.of(chain(4, 5), chain(8, 7))));
    assertThat(d.openSegment().start()).isEqualTo(80_000);
    assertThat(d.openSegment().units())
        .containsExactlyInAnyOrderElementsOf(units(4, 8, 5, 7, 9, 10));
  }

  @Test
  void whereNothingIsToBeDoneOnlyTheEpochChanges() {
    Layout layout = ring(3, 2);
    assertThat(Plan.next(layout, calm(10))).isEqualTo(layout.next());
    assertThat(LayoutDiff.by(layout, layout.next()))
        .as("the heads tell the tail")
        .containsExactlyInAnyOrderElementsOf(units(0, 1, 2));
    assertThat(LayoutDiff.losing(layout, layout.next(), 10)).isEmpty();
  }

  @Test
  void withoutSpareTheOthersShareTheWork() {
    Layout next = Plan.next(ring(3, 2), without(100, 2));
    assertThat(next.segments())
        .containsExactly(
            new LayoutSegment(0, 100, List.of(chain(0, 1), chain(1), chain(0)))
                .withTarget(
                    Optional.of(new ChainLayout(List.of(chain(0, 1), chain(1, 0), chain(0, 1))))),
            new LayoutSegment(100, LayoutSegment.OPEN, List.of(chain(0, 1), chain(1, 0))));
  }

  @Test
  void anEmptySegmentIsReplacedInsteadOfClosed() {
    Layout next = Plan.next(ring(3, 2), without(0, 2));
    assertThat(next.segments())
        .containsExactly(
            new LayoutSegment(0, LayoutSegment.OPEN, List.of(chain(0, 1), chain(1, 0))));
  }

  @Test
  void aUnitThatComesBackWidensTheOpenSegmentAgain() {
    Layout less = Plan.next(ring(3, 2), without(100, 2));
    Layout more =
        Plan.next(less, new PlanInput(Set.of(), Map.of(unit(2), life(2)), Map.of(), 200, 0));
    assertThat(more.openSegment().start()).isEqualTo(200);
    assertThat(more.openSegment().units()).hasSize(3);
    assertThat(more.spares()).isEmpty();
  }

  @Test
  void theLastReplicaOfWhatIsAppendedCannotGo() {
    assertThatThrownBy(() -> Plan.next(ring(3, 1), without(100, 1)))
        .isInstanceOf(LastReplicaException.class)
        .hasMessageContaining("f1:9000");
  }

  @Test
  void appendsGoOnWithoutAnyReplicaOfAChainWhereTheSequencerHasToldTheTail() {
    Layout next = Plan.next(ring(4, 2), without(100, 2, 3).boundedBy(TailBound.SEALED_SEQUENCER));

    assertThat(next.segments())
        .containsExactly(
            new LayoutSegment(0, 100, List.of(chain(0, 1), chain(1), chain(2, 3), chain(0)))
                .withTarget(
                    Optional.of(
                        new ChainLayout(
                            List.of(chain(0, 1), chain(1, 0), chain(2, 3), chain(0, 1))))),
            new LayoutSegment(100, LayoutSegment.OPEN, List.of(chain(0, 1), chain(1, 0))));
  }

  @Test
  void aSegmentNoneOfWhoseUnitsAreLeftIsFollowedByOneOfSpares() {
    Layout layout =
        layout(
            new Wanted(2, 2),
            units(2, 3),
            List.of(new LayoutSegment(0, LayoutSegment.OPEN, Layout.ring(units(0, 1), 2))));
    Layout next =
        Plan.next(
            layout,
            new PlanInput(
                    Set.copyOf(units(0, 1)),
                    Map.of(unit(2), life(2), unit(3), life(3)),
                    Map.of(),
                    7,
                    0)
                .boundedBy(TailBound.SEALED_SEQUENCER));

    assertThat(next.segments())
        .containsExactly(
            new LayoutSegment(0, 7, List.of(chain(0, 1), chain(1, 0))),
            new LayoutSegment(7, LayoutSegment.OPEN, List.of(chain(3, 2), chain(2, 3))));
    assertThat(LayoutDiff.by(layout, next)).as("their leases are waited for").hasSize(2);
  }

  @Test
  void withoutAnyLogUnitThereIsNoNextLayoutWhateverTheSequencerHasTold() {
    assertThatThrownBy(
            () -> Plan.next(ring(2, 2), without(7, 0, 1).boundedBy(TailBound.SEALED_SEQUENCER)))
        .isInstanceOf(LastReplicaException.class)
        .hasMessageContaining("add others first");
  }

  @Test
  void theLastReplicaOfAnOldSegmentStaysAndWaitsForItsUnit() {
    Layout layout =
        layout(
            new Wanted(2, 2),
            List.of(),
            List.of(
                new LayoutSegment(0, 10, List.of(chain(5), chain(0, 1))),
                new LayoutSegment(10, LayoutSegment.OPEN, List.of(chain(0, 1), chain(1, 0)))));
    Layout next = Plan.next(layout, without(30, 5));
    assertThat(next.segments().getFirst().log().getFirst()).isEqualTo(chain(5));
    assertThat(next.incarnationOf(unit(5))).isEqualTo(new Incarnation(7));
  }

  @Test
  void aRetiringUnitServesUntilOthersHoldWhatItHoldsThenLeaves() {
    Layout start = Plan.withRetiring(ring(3, 2, 3), unit(1));
    Layout moving =
        Plan.next(start, new PlanInput(Set.of(), Map.of(unit(3), life(3)), Map.of(), 100, 0));
    assertThat(moving.segments().getFirst().log()).isEqualTo(ring(3, 2).openSegment().log());
    assertThat(moving.openSegment().units()).doesNotContain(unit(1));
    Layout moved = Plan.next(Plan.withCopied(moving, moving, 0), calm(120));
    assertThat(moved.segments()).hasSize(1);
    assertThat(moved.units()).extracting(Member::endpoint).doesNotContain(unit(1));
  }

  @Test
  void aTargetOfWhichAUnitIsGoneBecomesAnother() {
    Layout first = Plan.next(ring(3, 2, 3, 4), replacing(100, 2, 3));
    Layout second = Plan.next(first, replacing(150, 3, 4));
    assertThat(second.segments()).noneMatch(segment -> segment.units().contains(unit(3)));
    assertThat(second.segments().getFirst().target().orElseThrow().log()).contains(chain(1, 4));
  }

  @Test
  void aCopyThatWasMadeForAnotherTargetChangesNothing() {
    Layout first = Plan.next(ring(3, 2, 3, 4), replacing(100, 2, 3));
    Layout second = Plan.next(first, replacing(150, 3, 4));
    assertThat(Plan.withCopied(second, first, 0)).isEqualTo(second);
  }

  @Test
  void segmentsBelowThePrefixTrimGo() {
    Layout less = Plan.next(ring(3, 2), without(100, 2));
    Layout later = Plan.next(less, new PlanInput(Set.of(), Map.of(), Map.of(), 500, 100));
    assertThat(later.segments()).hasSize(1);
    assertThat(later.segments().getFirst().start()).isEqualTo(100);
    assertThat(LayoutDiff.by(less, later))
        .as("whoever held them must not show any more what others call trimmed")
        .containsAll(less.segments().getFirst().units());
    assertThat(LayoutDiff.losing(less, later, 500)).containsAll(less.segments().getFirst().units());
  }

  @Test
  void aSequencerThatIsGoneStandsBehindTheOthers() {
    assertThat(Plan.next(ring(3, 2), without(10, 0)).sequencers()).isEqualTo(units(1, 0));
  }

  @Test
  void aLayoutServersNewDiskIsRecorded() {
    Layout next =
        Plan.next(
            ring(3, 2),
            new PlanInput(Set.of(), Map.of(), Map.of(unit(0), life(99), unit(5), life(5)), 10, 0));
    assertThat(next.acceptors()).containsExactly(new Member(unit(0), life(99)));
  }

  @Test
  void aLayoutStaysSmallHoweverOftenUnitsComeAndGo() {
    Layout layout = ring(5, 2);
    long tail = 0;
    int longest = 0;
    for (int i = 0; i < 2_000; i++) {
      tail += 1 + i % 7;
      int victim = i % 5;
      layout = Plan.next(layout, without(tail, victim));
      tail += 3;
      layout =
          Plan.next(
              layout, new PlanInput(Set.of(), Map.of(unit(victim), life(i)), Map.of(), tail, 0));
      layout = copied(layout, tail);
      longest = Math.max(longest, LayoutJson.compact(layout).length());
    }
    assertThat(longest).as("bytes of the longest layout").isLessThan(10_000);
  }

  private static Layout copied(Layout layout, long tail) {
    Layout done = layout;
    for (int i = 0; i < 4; i++) {
      for (LayoutSegment segment : List.copyOf(done.segments())) {
        if (segment.hasTarget()) {
          done = Plan.withCopied(done, done, segment.start());
        }
      }
      done = Plan.next(done, calm(tail));
    }
    return done;
  }

  @Test
  void severalUnitsMayGoAtOnce() {
    Layout next = Plan.next(ring(6, 3), without(60, 1, 4));
    assertThat(next.logUnits()).containsExactlyInAnyOrderElementsOf(units(0, 2, 3, 5));
    assertThat(next.segments().getFirst().target().orElseThrow().log())
        .allSatisfy(chain -> assertThat(chain.replicas()).hasSize(3));
    assertThat(Stream.of(1, 4).map(PlanTest::unit)).allMatch(next.spares()::contains);
  }
}
