package corfu.disk.internal.cache;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts the changes of a disk's blocks, so that a fetch can tell whether a block has changed since
 * it began. Blocks share counters. Thread-safe.
 */
final class BlockChanges {

  private static final int COUNTERS = 1_024;
  private static final int UNDER_WAY = -1;

  private final AtomicIntegerArray underWay = new AtomicIntegerArray(COUNTERS);
  private final AtomicLongArray ended = new AtomicLongArray(COUNTERS);

  /** Returns the changes of a block that have ended, or -1 if one is under way. */
  long before(long block) {
    int counter = counter(block);
    return underWay.get(counter) > 0 ? UNDER_WAY : ended.get(counter);
  }

  /** Returns whether no change is under way, and none has ended since {@link #before}. */
  boolean isUnchanged(long block, long before) {
    int counter = counter(block);
    return before != UNDER_WAY && underWay.get(counter) == 0 && ended.get(counter) == before;
  }

  void begin(long block) {
    var unused = underWay.incrementAndGet(counter(block));
  }

  void end(long block) {
    int counter = counter(block);
    var unusedEnded = ended.incrementAndGet(counter); // first: no fetch may begin in between
    var unused = underWay.decrementAndGet(counter);
  }

  private static int counter(long block) {
    return (int) (block % COUNTERS);
  }
}
