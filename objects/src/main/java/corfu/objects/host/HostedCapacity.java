package corfu.objects.host;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** How much of what a host plays has room, and who leaves if it is too much. */
record HostedCapacity(long bytesMax, int objectsMax) {

  /**
   * Returns the idle queues to remove, least recently used first, until the others fit; or none if
   * all fit.
   *
   * @param user the queue that is in use now, and stays
   */
  List<CallQueue> leaving(Collection<CallQueue> queues, CallQueue user) {
    long bytes = bytesOf(queues);
    int count = queues.size();
    List<CallQueue> leaving = new ArrayList<>();
    if (bytes <= bytesMax && count <= objectsMax) {
      return leaving;
    }
    List<CallQueue> idleOnes =
        queues.stream()
            .filter(other -> other != user && other.isIdle())
            .sorted(Comparator.comparingLong(CallQueue::lastUsed))
            .toList();
    for (CallQueue each : idleOnes) {
      if (bytes <= bytesMax && count <= objectsMax) {
        break;
      }
      leaving.add(each);
      bytes -= each.bytes();
      count--;
    }
    return leaving;
  }

  static long bytesOf(Collection<CallQueue> queues) {
    return queues.stream().mapToLong(CallQueue::bytes).sum();
  }
}
