package corfu.objects.host;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * The bounds of the objects that a host plays.
 *
 * @param bytesMax the most bytes of all objects together
 * @param objectsMax the most objects
 */
record HostedCapacity(long bytesMax, int objectsMax) {

  /**
   * Returns the idle queues to remove, least recently used first, or none if all queues fit. It
   * returns no more than necessary. If it returns all idle queues, the others may still not fit.
   *
   * @param queues the queues of all objects that the host plays
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
