package corfu.protocol.layout;

import java.util.ArrayList;
import java.util.List;

/** Merges neighbouring segments if their addresses and streams have the same chains. */
final class Merge {

  private Merge() {}

  static List<Segment> equalNeighbours(List<Segment> segments) {
    List<Segment> merged = new ArrayList<>();
    for (Segment segment : segments) {
      if (!merged.isEmpty() && isContinued(merged.getLast(), segment)) {
        Segment first = merged.removeLast();
        merged.add(new Segment(first.start(), segment.end(), first.serving(), first.target()));
      } else {
        merged.add(segment);
      }
    }
    return merged;
  }

  private static boolean isContinued(Segment left, Segment right) {
    return isContinued(left.serving(), left, right.serving(), right)
        && left.hasTarget() == right.hasTarget()
        && (!left.hasTarget()
            || isContinued(left.target().get(), left, right.target().get(), right));
  }

  private static boolean isContinued(
      Arrangement leftChains, Segment left, Arrangement rightChains, Segment right) {
    return leftChains.turned(left.start(), right.start()).equals(rightChains);
  }
}
