package corfu.protocol.layout;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What the next layout shall be: without those that are gone, as close to what is wanted as can be
 * had now, small (docs/design.md, section 6; CORFU, figure 4). A pure function; how the next layout
 * comes about, and who must be sealed before, is not decided here.
 */
public final class Plan {

  private final Layout now;
  private final Circumstances circumstances;

  private Plan(Layout now, Circumstances circumstances) {
    this.now = now;
    this.circumstances = circumstances;
  }

  /**
   * The layout of the next epoch. Where nothing is to be changed, it differs only in its epoch.
   *
   * @throws LastReplicaException if of the open segment a log chain has only units that are gone,
   *     and so has a stream chain, if there are any, and the sequencer has not told where the tail
   *     is; or no log unit would be left
   */
  public static Layout next(Layout now, Circumstances circumstances) {
    return new Plan(now, circumstances).next();
  }

  private Layout next() {
    OpenArrangement open = OpenArrangement.next(now, circumstances);
    List<Segment> segments = new ArrayList<>();
    for (Segment segment : now.segments()) {
      if (segment.isOpen()) {
        segments.addAll(continued(segment, open));
      } else if (segment.end() > circumstances.trimmedBefore()) {
        segments.add(without(circumstances.gone(), segment));
      }
    }
    RebuildPlanner targets = new RebuildPlanner(now, circumstances, open, segments.getLast());
    segments = Merge.equalNeighbours(targets.give(segments));
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

  /** The open segment is closed at the tail where its arrangement changes. */
  private List<Segment> continued(Segment old, OpenArrangement open) {
    if (!open.isNew()) {
      return List.of(old);
    }
    long tail = Math.max(circumstances.tail(), old.start());
    Segment fresh = new Segment(tail, Segment.OPEN, open.arrangement().turned(old.start(), tail));
    boolean isEmpty = tail == old.start() || tail <= circumstances.trimmedBefore();
    return isEmpty
        ? List.of(fresh)
        : List.of(
            without(circumstances.gone(), new Segment(old.start(), tail, old.serving())), fresh);
  }

  /**
   * Targets without some of their units are left for later: {@link RebuildPlanner} sees to them.
   */
  private static Segment without(Set<Endpoint> gone, Segment segment) {
    return new Segment(
        segment.start(), segment.end(), segment.serving().without(gone), segment.target());
  }

  /** Those that are gone stand at the end. */
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

  /** Who holds nothing is a spare, or leaves if it is retiring. */
  private List<Member> units(List<Segment> segments) {
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
   * What a rebuild makes of a layout: the segment has what it was copied for. A layout of another
   * epoch than that of the copy stays as it is: in between the target may have been another one, so
   * that trims were missed.
   *
   * @param copied the layout under which all that the segment's target misses was found copied
   * @param start the segment's first address
   */
  public static Layout withCopied(Layout layout, Layout copied, long start) {
    Segment done = copied.segmentOf(start);
    List<Segment> segments = new ArrayList<>();
    for (Segment segment : layout.segments()) {
      boolean isCopied =
          layout.epoch().equals(copied.epoch()) && segment.equals(done) && segment.hasTarget();
      segments.add(
          isCopied ? new Segment(segment.start(), segment.end(), segment.target().get()) : segment);
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

  /** An operator's wish: the same layout with another server in reserve. */
  public static Layout withSpare(Layout layout, Endpoint unit) {
    List<Member> units = new ArrayList<>(layout.units());
    if (units.stream().noneMatch(member -> member.endpoint().equals(unit))) {
      units.add(Member.spare(unit));
    }
    return with(layout, layout.wanted(), units);
  }

  /** An operator's wish: the same layout, in which this unit shall leave. */
  public static Layout withRetiring(Layout layout, Endpoint unit) {
    List<Member> units = new ArrayList<>();
    for (Member member : layout.units()) {
      boolean isMeant = member.endpoint().equals(unit);
      units.add(isMeant ? new Member(unit, member.incarnation(), true) : member);
    }
    return with(layout, layout.wanted(), units);
  }

  /** An operator's wish: the same layout, wanted to become another. */
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
