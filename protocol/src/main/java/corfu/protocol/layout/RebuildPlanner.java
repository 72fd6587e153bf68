package corfu.protocol.layout;

import corfu.protocol.Endpoint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which closed segments are to be copied, and where to: those that have too few replicas or some
 * that retire ({@link ReplicaPlacement}); and where a layout has got too many segments, small ones,
 * so that they can be merged with their neighbours (CORFU, section 3.2.4: proactive data movement).
 */
final class RebuildPlanner {

  /** Beyond this many, segments are moved to get fewer. */
  static final int SEGMENTS_MAX = 24;

  private final OpenArrangement open;
  private final Segment last;
  private final ReplicaPlacement aims;

  /**
   * @param last the next layout's open segment
   */
  RebuildPlanner(Layout now, Circumstances circumstances, OpenArrangement open, Segment last) {
    this.open = open;
    this.last = last;
    Set<Endpoint> leaving = OpenArrangement.leaving(now, circumstances);
    if (open.units().size() < now.wanted().units()) {
      leaving.addAll(now.logUnits()); // they can only be used again when they hold nothing
      leaving.removeAll(open.units());
    }
    this.aims = new ReplicaPlacement(circumstances, open, leaving, last, now.wanted());
  }

  List<Segment> give(List<Segment> segments) {
    List<Segment> all = new ArrayList<>();
    for (Segment segment : segments) {
      Segment aimed = segment.isOpen() ? segment : aims.aimed(segment);
      boolean isNew = aimed.hasTarget() && !aimed.target().equals(segment.target());
      all.add(isNew && isCrowded(segments) && isMovable(segment) ? movedTo(last, aimed) : aimed);
    }
    return isCrowded(all) ? consolidated(all) : all;
  }

  /** Then those that are to be copied anyway are copied to where they can be merged. */
  private static boolean isCrowded(List<Segment> segments) {
    return segments.size() > SEGMENTS_MAX;
  }

  /**
   * As many pairs of neighbours as there are segments too many: the smaller one moves to where the
   * other is, or will be.
   */
  private List<Segment> consolidated(List<Segment> segments) {
    List<Integer> byCost = new ArrayList<>();
    for (int i = 0; i < segments.size() - 1; i++) {
      byCost.add(i);
    }
    byCost.sort(Comparator.comparingLong(left -> cost(segments.get(left), segments.get(left + 1))));
    List<Segment> moved = new ArrayList<>(segments);
    Set<Integer> taken = new HashSet<>();
    int excess = segments.size() - SEGMENTS_MAX;
    for (int left : byCost) {
      if (excess > 0 && !taken.contains(left) && !taken.contains(left + 1)) {
        boolean isRightSmaller = length(segments.get(left + 1)) < length(segments.get(left));
        int mover = isRightSmaller ? left + 1 : left;
        int stays = isRightSmaller ? left : left + 1;
        if (!segments.get(mover).hasTarget() && isMovable(segments.get(mover))) {
          Segment aim = mayBeJoined(segments.get(stays)) ? segments.get(stays) : last;
          moved.set(mover, movedTo(aim, segments.get(mover)));
          taken.add(left);
          taken.add(left + 1);
          excess--;
        }
      }
    }
    return moved;
  }

  private static long cost(Segment left, Segment right) {
    return Math.min(length(left), length(right));
  }

  private boolean isMovable(Segment segment) {
    return segment.log().stream().noneMatch(aims::isGone);
  }

  /** Only units of the open segment are known to hold nothing that nobody counted. */
  private boolean mayBeJoined(Segment aim) {
    return open.units().containsAll(aim.units());
  }

  private static Segment movedTo(Segment neighbour, Segment mover) {
    Arrangement aim = neighbour.target().orElse(neighbour.serving());
    return mover.withTarget(Optional.of(aim.turned(neighbour.start(), mover.start())));
  }

  private static long length(Segment segment) {
    return segment.end() - segment.start();
  }
}
