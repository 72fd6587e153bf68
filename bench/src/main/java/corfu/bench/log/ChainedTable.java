package corfu.bench.log;

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
    return (int) Long.remainderUnsigned(mix(address), buckets.length);
  }

  /** The finalizer of SplitMix64, which the page map uses, too. */
  private static long mix(long number) {
    long z = (number + 1) * 0x9e3779b97f4a7c15L;
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
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
