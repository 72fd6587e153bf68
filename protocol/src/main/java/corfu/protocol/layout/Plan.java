package corfu.protocol.layout;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Computes the next layout: without the servers that are gone, as close to the wanted state as is
 * possible now, and small (docs/design.md, section 6; CORFU, figure 4). A pure function. It decides
 * neither how the next layout is installed nor which servers must be sealed before.
 */
public final class Plan {

  private final Layout now;
  private final PlanInput circumstances;

  private Plan(Layout now, PlanInput circumstances) {
    this.now = now;
    this.circumstances = circumstances;
  }

  /**
   * Returns the layout of the next epoch. If nothing needs to change, only its epoch differs.
   *
   * @throws LastReplicaException if no log unit would be left, or if the open segment has lost its
   *     last entries. This is so if the sequencer has not told the tail, and a log chain has only
   *     units that are gone. If there are stream chains, one of these must also have only units
   *     that are gone.
   */
  public static Layout next(Layout now, PlanInput circumstances) {
    return new Plan(now, circumstances).next();
  }

  private Layout next() {
    OpenChainLayout open = OpenChainLayout.next(now, circumstances);
    List<LayoutSegment> segments = new ArrayList<>();
    for (LayoutSegment segment : now.segments()) {
      if (segment.isOpen()) {
        segments.addAll(continued(segment, open));
      } else if (segment.end() > circumstances.trimmedBefore()) {
        segments.add(without(circumstances.gone(), segment));
      }
    }
    RebuildPlanner targets = new RebuildPlanner(now, circumstances, open, segments.getLast());
    segments = SegmentMerge.equalNeighbours(targets.give(segments));
    return new Layout(
        now.clusterId(),
        now.epoch().next(),
        now.wanted(),
        sequencers(),
        acceptors(),
        units(segments),
        segments,
        now.origin());
  }

  /** Closes the open segment at the tail if its arrangement changes. */
  private List<LayoutSegment> continued(LayoutSegment old, OpenChainLayout open) {
    if (!open.isNew()) {
      return List.of(old);
    }
    long tail = Math.max(circumstances.tail(), old.start());
    LayoutSegment fresh =
        new LayoutSegment(tail, LayoutSegment.OPEN, open.arrangement().turned(old.start(), tail));
    boolean isEmpty = tail == old.start() || tail <= circumstances.trimmedBefore();
    return isEmpty
        ? List.of(fresh)
        : List.of(
            without(circumstances.gone(), new LayoutSegment(old.start(), tail, old.serving())),
            fresh);
  }

  /**
   * Removes the gone units from the serving chains. {@link RebuildPlanner} corrects targets that
   * lose units.
   */
  private static LayoutSegment without(Set<Endpoint> gone, LayoutSegment segment) {
    return new LayoutSegment(
        segment.start(), segment.end(), segment.serving().without(gone), segment.target());
  }

  /** Returns the sequencers, the silent ones last. */
  private List<Endpoint> sequencers() {
    List<Endpoint> order = new ArrayList<>(now.sequencers());
    order.removeAll(circumstances.silent());
    for (Endpoint sequencer : now.sequencers()) {
      if (circumstances.silent().contains(sequencer)) {
        order.add(sequencer);
      }
    }
    return order;
  }

  private List<Member> acceptors() {
    return now.acceptors().stream()
        .map(
            member ->
                member.withIncarnation(
                    circumstances
                        .acceptors()
                        .getOrDefault(member.endpoint(), member.incarnation())))
        .toList();
  }

  /** Turns a unit that holds nothing into a spare, or removes it if it is retiring. */
  private List<Member> units(List<LayoutSegment> segments) {
    Set<Endpoint> holding = new LinkedHashSet<>();
    segments.forEach(segment -> holding.addAll(segment.units()));
    List<Member> units = new ArrayList<>();
    for (Member unit : now.units()) {
      Endpoint endpoint = unit.endpoint();
      if (holding.contains(endpoint)) {
        Incarnation known = unit.incarnation();
        units.add(unit.withIncarnation(circumstances.fresh().getOrDefault(endpoint, known)));
      } else if (!unit.retiring()) {
        units.add(Member.spare(endpoint));
      }
    }
    return units;
  }

  /**
   * Returns the layout after a rebuild: the segment serves with its former target. The layout stays
   * unchanged if its epoch is not that of the copy. The target may have differed in between, so
   * that trims were missed.
   *
   * @param copied the layout under which the segment's target was found completely copied
   * @param start the segment's first address
   */
  public static Layout withCopied(Layout layout, Layout copied, long start) {
    LayoutSegment done = copied.segmentOf(start);
    List<LayoutSegment> segments = new ArrayList<>();
    for (LayoutSegment segment : layout.segments()) {
      boolean isCopied =
          layout.epoch().equals(copied.epoch()) && segment.equals(done) && segment.hasTarget();
      segments.add(
          isCopied
              ? new LayoutSegment(segment.start(), segment.end(), segment.target().get())
              : segment);
    }
    return new Layout(
        layout.clusterId(),
        layout.epoch(),
        layout.wanted(),
        layout.sequencers(),
        layout.acceptors(),
        layout.units(),
        segments,
        layout.origin());
  }

  /** An operator's wish: returns the same layout with another spare. */
  public static Layout withSpare(Layout layout, Endpoint unit) {
    List<Member> units = new ArrayList<>(layout.units());
    if (units.stream().noneMatch(member -> member.endpoint().equals(unit))) {
      units.add(Member.spare(unit));
    }
    return with(layout, layout.wanted(), units);
  }

  /** An operator's wish: returns the same layout, in which this unit shall leave. */
  public static Layout withRetiring(Layout layout, Endpoint unit) {
    List<Member> units = new ArrayList<>();
    for (Member member : layout.units()) {
      boolean isMeant = member.endpoint().equals(unit);
      units.add(isMeant ? new Member(unit, member.incarnation(), true) : member);
    }
    return with(layout, layout.wanted(), units);
  }

  /** An operator's wish: returns the same layout with another wanted state. */
  public static Layout withWanted(Layout layout, Wanted wanted) {
    return with(layout, wanted, layout.units());
  }

  private static Layout with(Layout layout, Wanted wanted, List<Member> units) {
    Epoch same = layout.epoch();
    return new Layout(
        layout.clusterId(),
        same,
        wanted,
        layout.sequencers(),
        layout.acceptors(),
        units,
        layout.segments(),
        layout.origin());
  }
}
