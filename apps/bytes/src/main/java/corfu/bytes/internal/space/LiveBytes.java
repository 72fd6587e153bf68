package corfu.bytes.internal.space;

import corfu.bytes.internal.extent.Extent;
import corfu.bytes.internal.extent.ExtentMap;
import corfu.bytes.internal.state.BytesState;
import corfu.bytes.internal.writer.StateListener;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Follows how many bytes of each entry an array's newest version needs. Changes are counted from
 * the beginning; the entries before that are added in the background. Thread-safe.
 */
public final class LiveBytes implements StateListener {

  /** The bytes that an entry takes beside its payload, roughly. */
  private static final int ENTRY_BYTES = 64;

  /** The range whose extents are in a list at the same time. */
  private static final long VISITED_TOGETHER = 64L << 20;

  /**
   * The space of an array.
   *
   * @param entries the number of entries that are not trimmed
   * @param storedBytes the bytes of their payloads, and 64 for each
   * @param liveBytes the bytes of them that the newest version needs
   */
  public record Space(long entries, long storedBytes, long liveBytes) {}

  /** An entry of which the newest version needs only a part. */
  public record Sparse(long address, int stored, int live) {

    private double part() {
      return (double) live / stored;
    }
  }

  private final ReentrantLock lock = new ReentrantLock(); // never held during a call
  private EntryTable table = new EntryTable();
  private final Map<Long, Long> early = new HashMap<>(); // changes of entries to be added
  private final EntryTable appended = new EntryTable(); // until the earlier ones are added
  private boolean isComplete;
  private boolean isOutdated;

  /** Returns whether all entries are counted, and none was missed since. */
  public boolean isComplete() {
    lock.lock();
    try {
      return isComplete && !isOutdated;
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether entries were missed, so that this must be replaced. */
  public boolean isOutdated() {
    lock.lock();
    try {
      return isOutdated;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void onApplied(
      BytesState before, BytesState.Entry entry, BytesState after, int payloadBytes) {
    List<long[]> ranges = new ArrayList<>();
    before.forEachChangedRange(entry, after, (from, to) -> ranges.add(new long[] {from, to}));
    Map<Long, Long> changes = new HashMap<>(); // of each entry; maps may load pages: without a lock
    for (long[] range : apart(ranges)) {
      visit(before.extents(), range[0], range[1], extent -> change(extent, -1, changes));
      visit(after.extents(), range[0], range[1], extent -> change(extent, 1, changes));
    }
    lock.lock();
    try {
      (isComplete ? table : appended).add(entry.address(), payloadBytes + ENTRY_BYTES);
      changes.forEach(this::change);
    } finally {
      lock.unlock();
    }
  }

  /** Returns the same bytes as ranges that do not overlap. */
  private static List<long[]> apart(List<long[]> ranges) {
    ranges.sort(Comparator.comparingLong(range -> range[0]));
    List<long[]> apart = new ArrayList<>(ranges.size());
    for (long[] range : ranges) {
      if (!apart.isEmpty() && range[0] <= apart.getLast()[1]) {
        apart.getLast()[1] = Math.max(apart.getLast()[1], range[1]);
      } else {
        apart.add(range.clone());
      }
    }
    return apart;
  }

  private static void visit(ExtentMap map, long from, long to, Consumer<Extent> visitor) {
    long at = from < to ? map.nextData(from) : -1;
    while (at >= 0 && at < to) {
      long end = Math.min(to, at > Long.MAX_VALUE - VISITED_TOGETHER ? to : at + VISITED_TOGETHER);
      map.in(at, end).forEach(visitor);
      at = end < to ? map.nextData(end) : -1;
    }
  }

  private static void change(Extent extent, int sign, Map<Long, Long> changes) {
    changes.merge(extent.address(), sign * extent.length(), Long::sum);
  }

  private void change(long address, long bytes) {
    if (isComplete) {
      table.addLive(address, bytes);
    } else {
      early.merge(address, bytes, Long::sum);
    }
  }

  @Override
  public void onSkipped() {
    lock.lock();
    try {
      isOutdated = true;
    } finally {
      lock.unlock();
    }
  }

  /** Collects the entries that were there before. For one thread. */
  public final class Earlier {

    private final EntryTable all = new EntryTable();

    /** Adds the next entry of the stream. */
    public void add(long address, int payloadBytes) {
      all.add(address, payloadBytes + ENTRY_BYTES);
    }

    /**
     * Ends this: all entries before the followed ones are added. Loads the map page by page.
     *
     * @param first the state before the followed entries
     */
    public void complete(BytesState first) {
      first.extents().forEach(extent -> all.addLive(extent.address(), extent.length()));
      lock.lock();
      try {
        appended.forEach(
            0,
            Long.MAX_VALUE,
            (address, stored, live) -> {
              all.add(address, stored);
              return true;
            });
        early.forEach(all::addLive);
        early.clear();
        table = all;
        isComplete = true;
      } finally {
        lock.unlock();
      }
    }
  }

  /** Begins to collect the entries that were there before. */
  public Earlier earlier() {
    return new Earlier();
  }

  /**
   * Returns entries of which the newest version needs nothing.
   *
   * @param from the lowest log address
   * @param before the log address behind the highest one
   * @param most the most entries
   */
  public List<Long> dead(long from, long before, int most) {
    List<Long> dead = new ArrayList<>();
    lock.lock();
    try {
      table.forEach(
          from,
          before,
          (address, stored, live) -> {
            if (live == 0) {
              dead.add(address);
            }
            return dead.size() < most;
          });
    } finally {
      lock.unlock();
    }
    return dead;
  }

  /** Returns the bytes of entries from a log address on of which the newest version needs none. */
  public long deadBytes(long from) {
    long[] bytes = {0};
    lock.lock();
    try {
      table.forEach(
          from,
          Long.MAX_VALUE,
          (address, stored, live) -> {
            bytes[0] += live == 0 ? stored : 0;
            return true;
          });
    } finally {
      lock.unlock();
    }
    return bytes[0];
  }

  /** Returns the entries from a log address on of which the smallest parts are needed. */
  public List<Sparse> sparsest(long from, int most) {
    PriorityQueue<Sparse> found =
        new PriorityQueue<>(Comparator.comparingDouble(Sparse::part).reversed());
    lock.lock();
    try {
      table.forEach(
          from,
          Long.MAX_VALUE,
          (address, stored, live) -> {
            if (live > 0) {
              found.add(new Sparse(address, stored, live));
              if (found.size() > most) {
                found.remove();
              }
            }
            return true;
          });
    } finally {
      lock.unlock();
    }
    List<Sparse> sorted = new ArrayList<>(found);
    sorted.sort(Comparator.comparingDouble(Sparse::part));
    return sorted;
  }

  /** Forgets entries that are trimmed. */
  public void trimmed(List<Long> addresses) {
    lock.lock();
    try {
      addresses.forEach(table::remove);
    } finally {
      lock.unlock();
    }
  }

  /** Returns the space of all counted entries. */
  public Space space() {
    lock.lock();
    try {
      return new Space(table.size(), table.storedBytes(), table.liveBytes());
    } finally {
      lock.unlock();
    }
  }
}
