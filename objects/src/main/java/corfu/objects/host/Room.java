package corfu.objects.host;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** How much of what a host plays has room, and who leaves if it is too much. */
record Room(long bytesMax, int objectsMax) {

  /**
   * What was used least lately, as far as others need its place.
   *
   * @param user who is in use just now, and stays
   */
  List<Lane> leaving(Collection<Lane> lanes, Lane user) {
    long bytes = bytesOf(lanes);
    int count = lanes.size();
    List<Lane> leaving = new ArrayList<>();
    if (bytes <= bytesMax && count <= objectsMax) {
      return leaving;
    }
    List<Lane> idleOnes =
        lanes.stream()
            .filter(other -> other != user && other.isIdle())
            .sorted(Comparator.comparingLong(Lane::lastUsed))
            .toList();
    for (Lane each : idleOnes) {
      if (bytes <= bytesMax && count <= objectsMax) {
        break;
      }
      leaving.add(each);
      bytes -= each.bytes();
      count--;
    }
    return leaving;
  }

  static long bytesOf(Collection<Lane> lanes) {
    return lanes.stream().mapToLong(Lane::bytes).sum();
  }
}
