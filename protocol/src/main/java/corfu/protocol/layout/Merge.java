package corfu.protocol.layout;

import java.util.ArrayList;
import java.util.List;

/** Makes one segment of neighbours whose addresses have the same chains. */
final class Merge {

  private Merge() {}

  static List<Segment> equalNeighbours(List<Segment> segments) {
    List<Segment> merged = new ArrayList<>();
    for (Segment segment : segments) {
      if (!merged.isEmpty() && isContinued(merged.getLast(), segment)) {
        Segment first = merged.removeLast();
        merged.add(new Segment(first.start(), segment.end(), first.log(), first.target()));
      } else {
        merged.add(segment);
      }
    }
    return merged;
  }

  private static boolean isContinued(Segment left, Segment right) {
    return isContinued(left.log(), left, right.log(), right)
        && left.hasTarget() == right.hasTarget()
        && (!left.hasTarget() || isContinued(left.target(), left, right.target(), right));
  }

  private static boolean isContinued(
      List<Chain> leftChains, Segment left, List<Chain> rightChains, Segment right) {
    return leftChains.size() == rightChains.size()
        && Segment.turned(leftChains, left.start(), right.start()).equals(rightChains);
  }
}
