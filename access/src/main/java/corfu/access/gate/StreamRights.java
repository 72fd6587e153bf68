package corfu.access.gate;

import java.util.Arrays;

/**
 * Remembered rights on streams: an open hash table that needs no objects for its streams. When it
 * is full, it is emptied, because rights are quickly found again. Not thread-safe.
 */
final class StreamRights {

  /** The result for a stream that is not remembered. */
  static final int UNKNOWN = -1;

  /** The largest number of remembered streams. */
  static final int MOST = 2_048;

  private static final int FIRST_SLOTS = 16;
  private static final byte EMPTY = -1;

  private long[] highs = new long[FIRST_SLOTS];
  private long[] lows = new long[FIRST_SLOTS];
  private byte[] rights = emptySlots(FIRST_SLOTS);
  private int count;

  private static byte[] emptySlots(int slots) {
    byte[] rights = new byte[slots];
    Arrays.fill(rights, EMPTY);
    return rights;
  }

  /** Returns the rights on a stream, or {@link #UNKNOWN}. */
  int get(long high, long low) {
    int slot = slot(high, low);
    while (rights[slot] != EMPTY) {
      if (highs[slot] == high && lows[slot] == low) {
        return rights[slot];
      }
      slot = slot + 1 & rights.length - 1;
    }
    return UNKNOWN;
  }

  /**
   * Remembers the rights on a stream that is not remembered.
   *
   * @param bits the bits of permissions for streams
   */
  void put(long high, long low, int bits) {
    if (count >= MOST) {
      clear();
    }
    if (2 * (count + 1) > rights.length) {
      grow();
    }
    insert(high, low, (byte) bits);
  }

  private void insert(long high, long low, byte bits) {
    int slot = slot(high, low);
    while (rights[slot] != EMPTY) {
      slot = slot + 1 & rights.length - 1;
    }
    highs[slot] = high;
    lows[slot] = low;
    rights[slot] = bits;
    count++;
  }

  private void grow() {
    long[] oldHighs = highs;
    long[] oldLows = lows;
    byte[] oldRights = rights;
    allocate(2 * oldRights.length);
    for (int i = 0; i < oldRights.length; i++) {
      if (oldRights[i] != EMPTY) {
        insert(oldHighs[i], oldLows[i], oldRights[i]);
      }
    }
  }

  private void allocate(int slots) {
    highs = new long[slots];
    lows = new long[slots];
    rights = emptySlots(slots);
    count = 0;
  }

  /** Forgets all streams. */
  void clear() {
    allocate(FIRST_SLOTS);
  }

  private int slot(long high, long low) {
    long mixed = (high ^ Long.rotateLeft(low, 32)) * 0x9e3779b97f4a7c15L;
    return (int) (mixed >>> 32) & rights.length - 1;
  }
}
