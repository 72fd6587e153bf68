package corfu.bytes.internal.space;

import java.util.Arrays;

/**
 * The entries of an array by their log addresses: the bytes that each stores, and those of them
 * that the newest version needs. 16 bytes for each entry, and twice that while the table grows. Not
 * thread-safe.
 */
final class EntryTable {

  private static final int LEAST = 64;

  /** So many copies of the entry's bytes are needed that it counts as needed for ever. */
  private static final int UNCOUNTED = Integer.MAX_VALUE;

  private long[] addresses = new long[LEAST]; // ascending
  private int[] stored = new int[LEAST]; // 0 for an entry that was removed
  private int[] live = new int[LEAST];
  private int count;
  private int removed;
  private long storedBytes;
  private long liveBytes;

  /** Adds an entry behind all others. */
  void add(long address, int bytes) {
    if (count > 0 && address <= addresses[count - 1]) {
      throw new IllegalArgumentException(
          "an entry at address %d is not behind the one at %d"
              .formatted(address, addresses[count - 1]));
    }
    makeRoom();
    addresses[count] = address;
    stored[count] = Math.max(1, bytes);
    live[count] = 0;
    storedBytes += stored[count];
    count++;
  }

  private void makeRoom() {
    if (count < addresses.length) {
      return;
    }
    int capacity = Math.max(LEAST, (count - removed) * 3 / 2);
    long[] oldAddresses = addresses;
    int[] oldStored = stored;
    int[] oldLive = live;
    addresses = new long[capacity];
    stored = new int[capacity];
    live = new int[capacity];
    int to = 0;
    for (int from = 0; from < count; from++) {
      if (oldStored[from] > 0) {
        addresses[to] = oldAddresses[from];
        stored[to] = oldStored[from];
        live[to++] = oldLive[from];
      }
    }
    count = to;
    removed = 0;
  }

  /** Changes the bytes of an entry that are needed, unless it is no entry of this table. */
  void addLive(long address, long bytes) {
    int index = Arrays.binarySearch(addresses, 0, count, address);
    if (index >= 0 && stored[index] > 0 && live[index] < UNCOUNTED) {
      int counted = (int) Math.min(UNCOUNTED, live[index] + bytes);
      liveBytes += counted - live[index];
      live[index] = counted;
    }
  }

  /** Removes an entry. */
  void remove(long address) {
    int index = Arrays.binarySearch(addresses, 0, count, address);
    if (index >= 0 && stored[index] > 0) {
      storedBytes -= stored[index];
      liveBytes -= live[index];
      stored[index] = 0;
      removed++;
    }
  }

  /** Receives an entry. */
  @FunctionalInterface
  interface Visitor {

    /** Returns whether to go on. */
    boolean visit(long address, int stored, int live);
  }

  /** Visits the entries from an address on, inclusive, up to another one, exclusive. */
  void forEach(long from, long before, Visitor visitor) {
    int found = Arrays.binarySearch(addresses, 0, count, from);
    for (int i = found < 0 ? -found - 1 : found; i < count && addresses[i] < before; i++) {
      if (stored[i] > 0 && !visitor.visit(addresses[i], stored[i], live[i])) {
        return;
      }
    }
  }

  int size() {
    return count - removed;
  }

  long storedBytes() {
    return storedBytes;
  }

  long liveBytes() {
    return liveBytes;
  }
}
