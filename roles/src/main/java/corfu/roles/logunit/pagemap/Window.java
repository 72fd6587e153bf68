package corfu.roles.logunit.pagemap;

import java.lang.foreign.Arena;
import java.util.function.Supplier;

/**
 * One window of the page map: a cuckoo table that is replaced by a larger or a smaller one as
 * entries come and go. Offsets are counted from the window's start. Not thread-safe.
 */
final class Window implements AutoCloseable {

  /** How many addresses a window covers. */
  static final int ADDRESSES = Permutation.NUMBERS;

  /** Below one entry in this many slots, a removal makes the table smaller. */
  private static final int SHRINK_BELOW = 3;

  /** How many addresses are tried one by one before the whole window is searched. */
  private static final int PROBES = 64;

  private final Supplier<Arena> arenas;
  private final CuckooTable.Trail trail;
  private CuckooTable table;
  private long seed;
  private int floor = ADDRESSES; // nothing is present below
  private int ceiling; // nor from here on: what comes in order need not be looked for

  /**
   * An empty window.
   *
   * @param arenas where each table gets memory of its own
   * @param entries how many entries to have room for at once
   */
  Window(Supplier<Arena> arenas, CuckooTable.Trail trail, int entries) {
    this.arenas = arenas;
    this.trail = trail;
    this.table = newTable(CuckooTable.bucketsFor(entries));
  }

  int size() {
    return table.size();
  }

  long memoryBytes() {
    return table.memoryBytes();
  }

  /** The value of the offset, or -1. */
  long get(int offset) {
    return offset < ceiling ? table.get(offset) : -1;
  }

  /** Inserts or replaces; true where it inserted. */
  boolean put(int offset, long value) {
    if (offset < ceiling && table.replace(offset, value)) {
      return false;
    }
    if (table.isFull()) {
      rebuild(table.bucketsOfNext());
    }
    while (!table.add(offset, value, trail)) {
      rebuild(table.bucketsOfNext());
    }
    floor = Math.min(floor, offset);
    ceiling = Math.max(ceiling, offset + 1);
    return true;
  }

  /** Removes an offset; false where it is absent. */
  boolean remove(int offset) {
    if (!table.remove(offset)) {
      return false;
    }
    shrink();
    return true;
  }

  /** Removes all offsets below {@code bound}, at the lesser cost of two ways. */
  void removeBelow(int bound) {
    if (bound - floor < table.slots()) {
      for (int offset = floor; offset < bound; offset++) {
        table.remove(offset);
      }
    } else {
      table.removeBelow(bound);
    }
    floor = Math.max(floor, bound);
    shrink();
  }

  /** The smallest offset from {@code from} on that is present, or -1. */
  int nextAtOrAfter(int from) {
    int start = Math.max(from, floor);
    int probed = Math.min(start + PROBES, ceiling);
    for (int offset = start; offset < probed; offset++) {
      if (table.get(offset) >= 0) {
        return offset;
      }
    }
    if (probed >= ceiling) {
      return -1;
    }
    Lowest lowest = new Lowest(probed);
    table.forEach(lowest);
    return lowest.found;
  }

  /** How many offsets from {@code from} on and below {@code to} are present. */
  int countIn(int from, int to) {
    if (from == 0 && to == ADDRESSES) {
      return size();
    }
    int[] count = new int[1];
    table.forEach((offset, value) -> count[0] += offset >= from && offset < to ? 1 : 0);
    return count[0];
  }

  void forEach(CuckooTable.EntryVisitor visitor) {
    table.forEach(visitor);
  }

  /** Gives the memory back. */
  @Override
  public void close() {
    table.close();
  }

  private void shrink() {
    if (table.size() > 0 && table.size() * SHRINK_BELOW < table.slots()) {
      rebuild(CuckooTable.bucketsFor(table.size() + table.size() / 4));
    }
  }

  /**
   * Replaces the table; the old one stays whole until the new one has everything. Other functions
   * come into play when it is not for lack of room that entries found none.
   */
  private void rebuild(int buckets) {
    CuckooTable next = newTable(buckets);
    while (!next.addAll(table, trail)) {
      next.close();
      seed++;
      next = newTable(next.bucketsOfNext());
    }
    table.close();
    table = next;
  }

  private CuckooTable newTable(int buckets) {
    return new CuckooTable(arenas.get(), buckets, seed);
  }

  /** Keeps the lowest offset of those it is shown that are not below a bound. */
  private static final class Lowest implements CuckooTable.EntryVisitor {
    private final int bound;
    private int found = -1;

    Lowest(int bound) {
      this.bound = bound;
    }

    @Override
    public void visit(int offset, long value) {
      if (offset >= bound && (found < 0 || offset < found)) {
        found = offset;
      }
    }
  }
}
