package corfu.objects.internal.state;

import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The snapshots that transactions of this client are reading: states as old are kept where that
 * costs nothing. Thread-safe.
 */
public final class Pins {

  /** There are none. */
  static final long NONE = Long.MAX_VALUE;

  private final ReentrantLock lock = new ReentrantLock();
  private final TreeMap<Long, Integer> counts = new TreeMap<>();
  private volatile long lowest = NONE;

  /** One of which nobody lets go. */
  public static Pins of(long snapshot) {
    Pins pins = new Pins();
    pins.add(snapshot);
    return pins;
  }

  public void add(long snapshot) {
    lock.lock();
    try {
      counts.merge(snapshot, 1, Integer::sum);
      lowest = counts.firstKey();
    } finally {
      lock.unlock();
    }
  }

  public void remove(long snapshot) {
    lock.lock();
    try {
      counts.computeIfPresent(snapshot, (at, count) -> count == 1 ? null : count - 1);
      lowest = counts.isEmpty() ? NONE : counts.firstKey();
    } finally {
      lock.unlock();
    }
  }

  /** The lowest of them, or {@link #NONE}. */
  public long lowest() {
    return lowest;
  }
}
