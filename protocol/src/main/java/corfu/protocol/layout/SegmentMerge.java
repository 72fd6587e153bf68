package corfu.protocol.layout;

import java.util.ArrayList;
import java.util.List;

/** Merges neighbouring segments if their addresses and streams have the same chains. */
final class SegmentMerge {

  private SegmentMerge() {}

  static List<LayoutSegment> equalNeighbours(List<LayoutSegment> segments) {
    List<LayoutSegment> merged = new ArrayList<>();
    for (LayoutSegment segment : segments) {
      if (!merged.isEmpty() && isContinued(merged.getLast(), segment)) {
        LayoutSegment first = merged.removeLast();
        merged.add(
            new LayoutSegment(first.start(), segment.end(), first.serving(), first.target()));
      } else {
        merged.add(segment);
      }
    }
    return merged;
  }

  private static boolean isContinued(LayoutSegment left, LayoutSegment right) {
    return isContinued(left.serving(), left, right.serving(), right)
        && left.hasTarget() == right.hasTarget()
        && (!left.hasTarget()
            || isContinued(left.target().get(), left, right.target().get(), right));
  }

  private static boolean isContinued(
      ChainLayout leftChains, LayoutSegment left, ChainLayout rightChains, LayoutSegment right) {
    return leftChains.turned(left.start(), right.start()).equals(rightChains);
  }
}
