package corfu.roles.logunit.pagemap;

import java.lang.foreign.Arena;
import java.util.function.Supplier;

/**
 * One window of the page map: a cuckoo table that is replaced by a larger or a smaller one when
 * entries are added or removed. Offsets count from the window's start. Not thread-safe.
 */
final class Window implements AutoCloseable {

  /** The number of addresses in a window. */
  static final int ADDRESSES = Permutation.NUMBERS;

  /** A removal makes the table smaller if fewer than one in this many slots has an entry. */
  private static final int SHRINK_BELOW = 3;

  /** The number of addresses that are tried one by one before the whole window is searched. */
  private static final int PROBES = 64;

  private final Supplier<Arena> arenas;
  private final CuckooTable.Trail trail;
  private CuckooTable table;
  private long seed;
  private int floor = ADDRESSES; // no offset below is present
  private int ceiling; // no offset from here on is present: new ones need no lookup

  /**
   * Creates an empty window.
   *
   * @param arenas returns an arena for the memory of each table
   * @param trail the trail of insertions
   * @param entries the number of entries for which it has room at first
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

  /** Returns the value of the offset, or -1. */
  long get(int offset) {
    return offset < ceiling ? table.get(offset) : -1;
  }

  /** Inserts or replaces a value. Returns true if it inserted the value. */
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

  /** Removes an offset. Returns false if it is absent. */
  boolean remove(int offset) {
    if (!table.remove(offset)) {
      return false;
    }
    shrink();
    return true;
  }

  /** Removes all offsets below {@code bound}, in the cheaper of two ways. */
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

  /** Returns the smallest present offset from {@code from} on, or -1. */
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

  /** Returns the number of present offsets from {@code from} on and below {@code to}. */
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

  /** Frees the memory. */
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
   * Replaces the table. The old one stays intact until the new one has all entries. Chooses other
   * permutations if entries find no room in spite of free slots.
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

  /** Finds the lowest visited offset that is not below a bound. */
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
