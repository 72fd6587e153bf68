package corfu.protocol.layout;

import corfu.protocol.Endpoint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which closed segments are to be copied, and where to: those that have too few replicas or some
 * that retire; and where a layout has got too many segments, small ones, so that they can be merged
 * with their neighbours (CORFU, section 3.2.4: proactive data movement).
 */
final class Targets {

  /** Beyond this many, segments are moved to get fewer. */
  static final int SEGMENTS_MAX = 24;

  private final Circumstances circumstances;
  private final OpenArrangement open;
  private final Set<Endpoint> leaving;
  private final int replicas;
  private final Map<Endpoint, Integer> given = new HashMap<>();

  Targets(Layout now, Circumstances circumstances, OpenArrangement open) {
    this.circumstances = circumstances;
    this.open = open;
    this.leaving = OpenArrangement.leaving(now, circumstances);
    if (open.units().size() < now.wanted().units()) {
      leaving.addAll(now.logUnits()); // they can only be used again when they hold nothing
      leaving.removeAll(open.units());
    }
    this.replicas = Math.min(now.wanted().replicas(), open.units().size());
  }

  List<Segment> give(List<Segment> segments) {
    Segment last = segments.getLast();
    List<Segment> all = new ArrayList<>();
    for (Segment segment : segments) {
      Segment aimed = segment.isOpen() ? segment : withTarget(segment, last);
      boolean isNew = aimed.hasTarget() && !aimed.target().equals(segment.target());
      all.add(isNew && isCrowded(segments) && isMovable(segment) ? movedTo(last, aimed) : aimed);
    }
    return isCrowded(all) ? consolidated(all) : all;
  }

  /** Then those that are to be copied anyway are copied to where they can be merged. */
  private static boolean isCrowded(List<Segment> segments) {
    return segments.size() > SEGMENTS_MAX;
  }

  private Segment withTarget(Segment segment, Segment last) {
    if (isStillRight(segment)) {
      return segment;
    }
    List<Chain> target = new ArrayList<>();
    for (int stripe = 0; stripe < segment.stripes(); stripe++) {
      target.add(aimOf(segment, stripe, last));
    }
    return new Segment(
        segment.start(),
        segment.end(),
        segment.log(),
        isSameUnits(target, segment.log()) ? List.of() : target);
  }

  /** Copying that is under way goes on, unless a unit that it needs is leaving. */
  private boolean isStillRight(Segment segment) {
    if (!segment.hasTarget()) {
      return false;
    }
    for (Chain chain : segment.target()) {
      boolean isEnough = chain.replicas().size() >= replicas || isLost(chain);
      if (!isEnough || chain.replicas().stream().anyMatch(leaving::contains)) {
        return false;
      }
    }
    return true;
  }

  private boolean isLost(Chain chain) {
    return circumstances.gone().containsAll(chain.replicas());
  }

  private Chain aimOf(Segment segment, int stripe, Segment last) {
    Chain serving = segment.log().get(stripe);
    if (isLost(serving)) {
      return serving; // nothing is left to copy from
    }
    List<Endpoint> aim = new ArrayList<>(serving.replicas());
    aim.removeAll(leaving);
    if (aim.size() >= replicas && aim.size() == serving.replicas().size()) {
      return serving;
    }
    if (segment.stripes() == last.stripes()) {
      Chain same = Segment.turned(last.log(), last.start(), segment.start()).get(stripe);
      if (same.replicas().containsAll(aim)) {
        return same;
      }
    }
    while (aim.size() < replicas) {
      Optional<Endpoint> next = leastBusyOutside(aim);
      if (next.isEmpty()) {
        break;
      }
      aim.add(next.get());
    }
    return aim.isEmpty() ? serving : new Chain(aim);
  }

  private Optional<Endpoint> leastBusyOutside(List<Endpoint> chain) {
    Endpoint best = null;
    for (Endpoint unit : open.units()) {
      boolean isBetter = best == null || given.getOrDefault(unit, 0) < given.getOrDefault(best, 0);
      if (!chain.contains(unit) && isBetter) {
        best = unit;
      }
    }
    if (best != null) {
      given.merge(best, 1, Integer::sum);
    }
    return Optional.ofNullable(best);
  }

  private static boolean isSameUnits(List<Chain> some, List<Chain> others) {
    for (int i = 0; i < others.size(); i++) {
      Set<Endpoint> units = new HashSet<>(some.get(i).replicas());
      if (!units.equals(new HashSet<>(others.get(i).replicas()))) {
        return false;
      }
    }
    return true;
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
          Segment aim = mayBeJoined(segments.get(stays)) ? segments.get(stays) : segments.getLast();
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
    return segment.log().stream().noneMatch(this::isLost);
  }

  /** Only units of the open segment are known to hold nothing that nobody counted. */
  private boolean mayBeJoined(Segment aim) {
    return open.units().containsAll(aim.units());
  }

  private static Segment movedTo(Segment neighbour, Segment mover) {
    List<Chain> aim = neighbour.hasTarget() ? neighbour.target() : neighbour.log();
    List<Chain> target = Segment.turned(aim, neighbour.start(), mover.start());
    return new Segment(mover.start(), mover.end(), mover.log(), target);
  }

  private static long length(Segment segment) {
    return segment.end() - segment.start();
  }
}
