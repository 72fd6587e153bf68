package corfu.protocol.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Incarnation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LayoutChangesTest {

  private static Endpoint unit(int number) {
    return new Endpoint("f" + number, 9000);
  }

  private static Set<Endpoint> units(int... numbers) {
    return Set.copyOf(IntStream.of(numbers).mapToObj(LayoutChangesTest::unit).toList());
  }

  /**
   * Returns a layout of units 0, 1, ..., the last of which are spares. Units 0 to 2 are also layout
   * servers, and units 0 and 1 are also sequencers.
   */
  private static Layout cluster(int wanted, int spares, int replicas) {
    List<Endpoint> all =
        IntStream.range(0, wanted + spares).mapToObj(LayoutChangesTest::unit).toList();
    return Layout.initial(
        new ClusterId(new UUID(1, 2)),
        List.of(unit(0), unit(1)),
        List.of(unit(0), unit(1), unit(2)),
        all,
        new Wanted(wanted, replicas));
  }

  /** Returns the next layout if these spares can be used. */
  private static Layout next(Layout wished, int... fresh) {
    return Plan.next(wished, circumstances(Set.of(), fresh));
  }

  private static PlanInput circumstances(Set<Endpoint> gone, int... fresh) {
    Map<Endpoint, Incarnation> lives = new HashMap<>();
    for (int number : fresh) {
      lives.put(unit(number), new Incarnation(100 + number));
    }
    return new PlanInput(gone, lives, Map.of(), 50, 0);
  }

  /** Grants the wish, and checks that the granted wish asks for no further change. */
  private static Layout granted(Layout before, UnaryOperator<Layout> wish, int... fresh) {
    Layout after = next(wish.apply(before), fresh);
    assertThat(wish.apply(after)).isEqualTo(after);
    return after;
  }

  @Test
  void aSpareIsPutToUseByWantingMoreUnits() {
    Layout grown = granted(cluster(3, 1, 2), layout -> LayoutChanges.withUnits(layout, 4), 3);
    assertThat(grown.openSegment().units()).hasSize(4);
  }

  @Test
  void aUnitThatDoesNothingElseLeavesAsAStandbySequencerToo() {
    Layout before = LayoutChanges.withStandby(cluster(3, 1, 2), unit(3));
    assertThat(before.sequencers()).containsExactly(unit(0), unit(1), unit(3));

    Layout next =
        granted(
            before,
            layout ->
                LayoutChanges.withoutStandby(
                    LayoutChanges.withoutUnit(layout, unit(3), units(0, 1, 2, 3)), unit(3)));

    assertThat(next.servers()).doesNotContain(unit(3));
  }

  @Test
  void aStandbySequencerThatIsNeededStays() {
    Layout two = cluster(4, 0, 2);
    Layout three = LayoutChanges.withStandby(two, unit(2));
    assertThat(LayoutChanges.withoutStandby(three, unit(2))).as("a layout server").isEqualTo(three);
    Layout unitless = LayoutChanges.withoutUnit(two, unit(3), units(0, 1, 2, 3));
    assertThat(LayoutChanges.withoutStandby(unitless, unit(3))).as("is none").isEqualTo(unitless);
    Layout last =
        LayoutChanges.withoutSequencer(LayoutChanges.withStandby(unitless, unit(3)), unit(1));
    assertThat(LayoutChanges.withoutStandby(last, unit(3))).as("one of two").isEqualTo(last);
  }

  @Test
  void aSpareTakesThePlaceOfAUnitThatLeaves() {
    Layout next =
        granted(
            cluster(3, 1, 2),
            layout -> LayoutChanges.withoutUnit(layout, unit(1), units(0, 1, 2, 3)),
            3);
    assertThat(next.wanted().units()).isEqualTo(3);
    assertThat(next.openSegment().units()).containsExactlyInAnyOrder(unit(0), unit(3), unit(2));
  }

  @Test
  void withoutSpareTheClusterGetsSmallerButKeepsItsCopies() {
    Layout next =
        granted(
            cluster(3, 0, 2), layout -> LayoutChanges.withoutUnit(layout, unit(1), units(0, 1, 2)));
    assertThat(next.wanted()).isEqualTo(new Wanted(2, 2));
    assertThat(next.openSegment().log())
        .allSatisfy(chain -> assertThat(chain.replicas()).hasSize(2));
  }

  @Test
  void aUnitStaysWhereTooFewWouldBeLeftForAllCopies() {
    assertThatThrownBy(() -> LayoutChanges.withoutUnit(cluster(2, 0, 2), unit(1), units(0, 1)))
        .isInstanceOf(WishRefusedException.class)
        .hasMessageContaining("f1:9000")
        .hasMessageContaining("add another one first");
  }

  @Test
  void aSpareThatNobodyNeedsJustLeaves() {
    Layout next =
        granted(
            cluster(3, 1, 2),
            layout -> LayoutChanges.withoutUnit(layout, unit(3), units(0, 1, 2, 3)));
    assertThat(next.units()).hasSize(3);
    assertThat(next.wanted()).isEqualTo(new Wanted(3, 2));
  }

  @Test
  void aDeadUnitThatHasBeenDroppedIsForgottenAndNotMissedAnyMore() {
    Layout dropped = Plan.next(cluster(3, 0, 2), circumstances(units(2)));
    assertThat(dropped.openSegment().units()).hasSize(2);

    Layout next = granted(dropped, layout -> LayoutChanges.without(layout, unit(2), units(0, 1)));

    assertThat(next.servers()).doesNotContain(unit(2));
    assertThat(next.wanted()).isEqualTo(new Wanted(2, 2));
  }

  @Test
  void aDeadServerIsForgottenInAllItsRoles() {
    Layout wished = LayoutChanges.without(cluster(3, 1, 2), unit(0), units(1, 2, 3));
    Layout next = Plan.next(wished, circumstances(units(0), 3));
    assertThat(next.servers()).doesNotContain(unit(0));
    assertThat(next.sequencers()).containsExactly(unit(1));
    assertThat(next.layoutServers()).containsExactly(unit(1), unit(2));
  }

  @Test
  void whoHoldsTheLastCopyIsNotForgotten() {
    assertThatThrownBy(() -> LayoutChanges.without(cluster(3, 0, 1), unit(1), units(0, 2)))
        .isInstanceOf(WishRefusedException.class)
        .hasMessageContaining("f1:9000")
        .hasMessageContaining("addresses from 0 on");
    assertThatThrownBy(() -> LayoutChanges.without(cluster(3, 0, 2), unit(1), units(0)))
        .as("of the chain 1, 2 nobody lives")
        .isInstanceOf(WishRefusedException.class);
  }

  @Test
  void sequencersComeBehindTheOthersAndTheLastOneStays() {
    Layout more = granted(cluster(3, 0, 2), layout -> LayoutChanges.withSequencer(layout, unit(2)));
    assertThat(more.sequencers()).containsExactly(unit(0), unit(1), unit(2));
    Layout less = granted(more, layout -> LayoutChanges.withoutSequencer(layout, unit(0)));
    assertThat(less.sequencers()).containsExactly(unit(1), unit(2));
    Layout one = LayoutChanges.withoutSequencer(less, unit(1));
    assertThatThrownBy(() -> LayoutChanges.withoutSequencer(one, unit(2)))
        .isInstanceOf(WishRefusedException.class);
  }

  @Test
  void aLayoutServerComesWithItsIncarnationAndTheLastOneStays() {
    Incarnation life = new Incarnation(5);
    Layout more =
        granted(cluster(3, 1, 2), layout -> LayoutChanges.withLayoutServer(layout, unit(3), life));
    assertThat(more.reliesOnLayoutServer(life)).isTrue();
    Layout less = more;
    for (Endpoint server : new ArrayList<>(more.layoutServers()).subList(0, 3)) {
      less = granted(less, layout -> LayoutChanges.withoutLayoutServer(layout, server));
    }
    Layout one = less;
    assertThat(one.layoutServers()).containsExactly(unit(3));
    assertThatThrownBy(() -> LayoutChanges.withoutLayoutServer(one, unit(3)))
        .isInstanceOf(WishRefusedException.class);
  }
}
