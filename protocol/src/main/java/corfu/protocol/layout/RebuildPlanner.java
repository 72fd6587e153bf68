package corfu.protocol.layout;

import corfu.protocol.Endpoint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Chooses the closed segments to copy, and their targets. Segments are copied if they have too few
 * replicas or retiring units ({@link ReplicaPlacement}). If a layout has too many segments, small
 * ones are copied to where they can be merged with their neighbours (CORFU, section 3.2.4:
 * proactive data movement).
 */
final class RebuildPlanner {

  /** The number of segments beyond which segments are moved and merged. */
  static final int SEGMENTS_MAX = 24;

  private final OpenChainLayout open;
  private final LayoutSegment last;
  private final ReplicaPlacement aims;

  /**
   * @param last the next layout's open segment
   */
  RebuildPlanner(Layout now, PlanInput circumstances, OpenChainLayout open, LayoutSegment last) {
    this.open = open;
    this.last = last;
    Set<Endpoint> leaving = OpenChainLayout.leaving(now, circumstances);
    if (open.units().size() < now.wanted().units()) {
      leaving.addAll(now.logUnits()); // a unit can be used again only when it holds nothing
      leaving.removeAll(open.units());
    }
    this.aims = new ReplicaPlacement(circumstances, open, leaving, last, now.wanted());
  }

  List<LayoutSegment> give(List<LayoutSegment> segments) {
    List<LayoutSegment> all = new ArrayList<>();
    for (LayoutSegment segment : segments) {
      LayoutSegment aimed = segment.isOpen() ? segment : aims.aimed(segment);
      boolean isNew = aimed.hasTarget() && !aimed.target().equals(segment.target());
      all.add(isNew && isCrowded(segments) && isMovable(segment) ? movedTo(last, aimed) : aimed);
    }
    return isCrowded(all) ? consolidated(all) : all;
  }

  /**
   * In a crowded layout, segments that need a copy anyway are copied to where they can be merged.
   */
  private static boolean isCrowded(List<LayoutSegment> segments) {
    return segments.size() > SEGMENTS_MAX;
  }

  /**
   * Moves one of a pair of neighbours for each excess segment: the smaller one moves to the present
   * or future units of the other.
   */
  private List<LayoutSegment> consolidated(List<LayoutSegment> segments) {
    List<Integer> byCost = new ArrayList<>();
    for (int i = 0; i < segments.size() - 1; i++) {
      byCost.add(i);
    }
    byCost.sort(Comparator.comparingLong(left -> cost(segments.get(left), segments.get(left + 1))));
    List<LayoutSegment> moved = new ArrayList<>(segments);
    Set<Integer> taken = new HashSet<>();
    int excess = segments.size() - SEGMENTS_MAX;
    for (int left : byCost) {
      if (excess > 0 && !taken.contains(left) && !taken.contains(left + 1)) {
        boolean isRightSmaller = length(segments.get(left + 1)) < length(segments.get(left));
        int mover = isRightSmaller ? left + 1 : left;
        int stays = isRightSmaller ? left : left + 1;
        if (!segments.get(mover).hasTarget() && isMovable(segments.get(mover))) {
          LayoutSegment aim = mayBeJoined(segments.get(stays)) ? segments.get(stays) : last;
          moved.set(mover, movedTo(aim, segments.get(mover)));
          taken.add(left);
          taken.add(left + 1);
          excess--;
        }
      }
    }
    return moved;
  }

  private static long cost(LayoutSegment left, LayoutSegment right) {
    return Math.min(length(left), length(right));
  }

  private boolean isMovable(LayoutSegment segment) {
    return segment.log().stream().noneMatch(aims::isGone);
  }

  /**
   * Returns whether the arrangement has only units of the open segment. Only these are known to
   * hold no uncounted entries.
   */
  private boolean mayBeJoined(LayoutSegment aim) {
    return open.units().containsAll(aim.units());
  }

  private static LayoutSegment movedTo(LayoutSegment neighbour, LayoutSegment mover) {
    ChainLayout aim = neighbour.target().orElse(neighbour.serving());
    return mover.withTarget(Optional.of(aim.turned(neighbour.start(), mover.start())));
  }

  private static long length(LayoutSegment segment) {
    return segment.end() - segment.start();
  }
}
