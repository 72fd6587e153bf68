package corfu.disk.internal.cache;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A part of the cache with a lock of its own. Its calls are for blocks that follow each other: keys
 * are numbers of 0 or more, and those of a call ascend by one.
 *
 * <p>A block may be in any slot. A table of slot numbers finds it by its key: open addressing with
 * linear probing, at most half full. If all slots are taken, the hand of a clock looks for a block
 * that was not read since it last came by.
 */
final class CacheStripe {

  private static final int NONE = -1;
  private static final int BLOCKS_OF_A_SLAB = 64;

  /** Says which blocks of a call may be kept. Asked under the lock that {@link #remove} takes. */
  @FunctionalInterface
  interface Choice {

    /** Returns whether the block at this place of the call, from 0 on, has the right bytes. */
    boolean includes(int index);
  }

  /** The memory of blocks. */
  @FunctionalInterface
  interface Slabs {

    /** Returns memory of this many bytes, or empty if there is no more. */
    Optional<ByteBuffer> allocate(int bytes);
  }

  private final ReentrantLock lock = new ReentrantLock(); // held for copies only
  private final Slabs memory;
  private final int capacity;
  private final int[] table;
  private final long[] keys; // of slots; NONE for an empty one
  private final boolean[] wasRead;
  private final int[] emptied; // slots whose blocks were removed
  private int emptiedCount;
  private int used; // slots that have had a block
  private int hand;
  private final List<ByteBuffer> slabs = new ArrayList<>();

  /**
   * @param capacity the number of blocks at most, up to 2^28
   */
  CacheStripe(int capacity, Slabs memory) {
    this.capacity = capacity;
    this.memory = memory;
    table = new int[capacity == 0 ? 0 : Integer.highestOneBit(capacity) * 4];
    Arrays.fill(table, NONE);
    keys = new long[capacity];
    Arrays.fill(keys, NONE);
    wasRead = new boolean[capacity];
    emptied = new int[capacity];
  }

  /**
   * Copies a range, as far as its blocks are here.
   *
   * @param first the key of the block in which the range begins
   * @param within the range's first byte in that block
   * @param into receives the bytes at {@code at}
   * @param at the range's place in {@code into}
   * @param length the range's length in bytes
   * @param gap learns of the places in {@code into} that were not filled
   */
  void read(long first, int within, ByteBuffer into, int at, int length, Gap gap) {
    lock.lock();
    try {
      int from = within;
      long key = first;
      for (int done = 0; done < length; key++) {
        int part = Math.min(length - done, BlockKeys.BLOCK_BYTES - from);
        int slot = find(key);
        if (slot == NONE) {
          gap.add(at + done, part);
        } else {
          wasRead[slot] = true;
          into.put(at + done, slab(slot), offset(slot) + from, part);
        }
        done += part;
        from = 0;
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Keeps whole blocks.
   *
   * @param first the key of the first one
   * @param count the number of blocks
   * @param data has the blocks at {@code at}
   */
  void keep(long first, int count, Choice choice, ByteBuffer data, int at) {
    lock.lock();
    try {
      for (int i = 0; i < count && capacity > 0; i++) {
        if (choice.includes(i)) {
          int slot = slotFor(first + i);
          if (slot == NONE) {
            return;
          }
          slab(slot).put(offset(slot), data, at + i * BlockKeys.BLOCK_BYTES, BlockKeys.BLOCK_BYTES);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  void remove(long first, int count) {
    lock.lock();
    try {
      for (long key = first; key < first + count; key++) {
        int slot = find(key);
        if (slot != NONE) {
          forget(slot);
          emptied[emptiedCount++] = slot;
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns the slot of a key, or {@link #NONE} if there is no memory for one block. */
  private int slotFor(long key) {
    int known = find(key);
    if (known != NONE) {
      return known;
    }
    int slot = freeSlot();
    if (slot == NONE) {
      return NONE;
    }
    keys[slot] = key;
    wasRead[slot] = false;
    int place = place(key);
    while (table[place] != NONE) {
      place = next(place);
    }
    table[place] = slot;
    return slot;
  }

  private int freeSlot() {
    if (emptiedCount > 0) {
      return emptied[--emptiedCount];
    }
    if (used < capacity && hasMemory()) {
      return used++;
    }
    if (used == 0) {
      return NONE;
    }
    while (wasRead[hand]) { // ends: a round leaves no block that was read
      wasRead[hand] = false;
      hand = (hand + 1) % used;
    }
    int slot = hand;
    hand = (hand + 1) % used;
    forget(slot);
    return slot;
  }

  /** Returns whether the next slot has memory, or gets it now. */
  private boolean hasMemory() {
    if (used < slabs.size() * BLOCKS_OF_A_SLAB) {
      return true;
    }
    Optional<ByteBuffer> more =
        memory.allocate(Math.min(BLOCKS_OF_A_SLAB, capacity - used) * BlockKeys.BLOCK_BYTES);
    more.ifPresent(slabs::add);
    return more.isPresent();
  }

  // ------------------------------------------------------------------------------- the table

  private int find(long key) {
    if (capacity == 0) {
      return NONE;
    }
    for (int place = place(key); table[place] != NONE; place = next(place)) {
      if (keys[table[place]] == key) {
        return table[place];
      }
    }
    return NONE;
  }

  /** Takes a slot's block out of the table, and moves those behind it that would be lost. */
  private void forget(int slot) {
    int empty = place(keys[slot]);
    while (table[empty] != slot) {
      empty = next(empty);
    }
    for (int place = next(empty); table[place] != NONE; place = next(place)) {
      int distanceOfEmpty = place - empty & mask();
      int distanceOfHome = place - place(keys[table[place]]) & mask();
      if (distanceOfHome >= distanceOfEmpty) {
        table[empty] = table[place];
        empty = place;
      }
    }
    table[empty] = NONE;
    keys[slot] = NONE;
    wasRead[slot] = false;
  }

  private int place(long key) {
    return (int) BlockKeys.hash(key) & mask();
  }

  private int next(int place) {
    return place + 1 & mask();
  }

  private int mask() {
    return table.length - 1;
  }

  // --------------------------------------------------------------------------------- the bytes

  private ByteBuffer slab(int slot) {
    return slabs.get(slot / BLOCKS_OF_A_SLAB);
  }

  private static int offset(int slot) {
    return slot % BLOCKS_OF_A_SLAB * BlockKeys.BLOCK_BYTES;
  }
}
