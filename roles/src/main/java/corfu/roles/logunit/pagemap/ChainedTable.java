package corfu.roles.logunit.pagemap;

import org.jspecify.annotations.Nullable;

/**
 * A chained hash table with a fixed number of buckets, to which the page map is compared (SLICE,
 * figure 6). Not thread-safe.
 */
final class ChainedTable {

  /** The size of an entry's object on the heap: a header, three fields, and alignment. */
  static final int ENTRY_BYTES = 32;

  private final @Nullable Entry[] buckets;

  ChainedTable(int buckets) {
    this.buckets = new Entry[buckets];
  }

  /** Inserts or replaces a value. */
  void put(long address, long value) {
    int bucket = bucketOf(address);
    for (Entry entry = buckets[bucket]; entry != null; entry = entry.next) {
      if (entry.address == address) {
        entry.value = value;
        return;
      }
    }
    buckets[bucket] = new Entry(address, value, buckets[bucket]);
  }

  /** Returns the value of the address, or -1. */
  long get(long address) {
    for (Entry entry = buckets[bucketOf(address)]; entry != null; entry = entry.next) {
      if (entry.address == address) {
        return entry.value;
      }
    }
    return -1;
  }

  private int bucketOf(long address) {
    return (int) Long.remainderUnsigned(Permutation.mix(address), buckets.length);
  }

  private static final class Entry {
    private final long address;
    private final @Nullable Entry next;
    private long value;

    Entry(long address, long value, @Nullable Entry next) {
      this.address = address;
      this.value = value;
      this.next = next;
    }
  }
}
