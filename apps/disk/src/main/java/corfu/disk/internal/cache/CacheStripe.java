package corfu.disk.internal.cache;

import static corfu.disk.internal.cache.BlockCache.BLOCK_BYTES;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** A part of the cache with a lock of its own. Keys are numbers of 0 or more. */
final class CacheStripe {

  private static final int MOST_WAYS = 8;
  private static final int NONE = -1;
  private static final int BLOCKS_OF_A_SLAB = 64;
  private static final int HASH_SHIFT = 16; // the bits below select the stripe

  private final ReentrantLock lock = new ReentrantLock(); // held for copies only
  private final Slabs memory;
  private final int capacity;
  private final int ways;
  private final int sets;
  private final long[] keys;
  private final int[] slots;
  private final boolean[] wasRead;
  private final List<ByteBuffer> slabs = new ArrayList<>();
  private int used;
  private int hand;

  /** The memory of blocks. */
  @FunctionalInterface
  interface Slabs {

    /** Returns memory of this many bytes, or empty if there is no more. */
    Optional<ByteBuffer> allocate(int bytes);
  }

  /**
   * @param capacity the most blocks
   */
  CacheStripe(int capacity, Slabs memory) {
    this.memory = memory;
    this.ways = Math.clamp(capacity, 1, MOST_WAYS);
    this.sets = capacity / ways;
    this.capacity = sets * ways;
    keys = new long[this.capacity];
    Arrays.fill(keys, NONE);
    slots = new int[this.capacity];
    Arrays.fill(slots, NONE);
    wasRead = new boolean[this.capacity];
  }

  boolean has(long key, long hash) {
    lock.lock();
    try {
      return find(key, hash) != NONE;
    } finally {
      lock.unlock();
    }
  }

  /** Copies a part of a block. Returns whether the block is there. */
  boolean read(long key, long hash, int from, ByteBuffer into, int at, int length) {
    lock.lock();
    try {
      int place = find(key, hash);
      if (place == NONE) {
        return false;
      }
      wasRead[place] = true;
      into.put(at, slab(slots[place]), offset(slots[place]) + from, length);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Keeps a block.
   *
   * @param isRight whether the bytes are still right; asked under the lock that {@link #remove}
   *     takes
   */
  void putIf(BooleanSupplier isRight, long key, long hash, ByteBuffer data, int at) {
    lock.lock();
    try {
      if (capacity == 0 || !isRight.getAsBoolean()) {
        return;
      }
      int place = find(key, hash);
      if (place == NONE) {
        place = victim(hash);
        if (place == NONE) {
          return;
        }
        keys[place] = key;
      }
      wasRead[place] = false;
      slab(slots[place]).put(offset(slots[place]), data, at, BLOCK_BYTES);
    } finally {
      lock.unlock();
    }
  }

  void remove(long key, long hash) {
    lock.lock();
    try {
      int place = find(key, hash);
      if (place != NONE) {
        keys[place] = NONE;
        wasRead[place] = false;
      }
    } finally {
      lock.unlock();
    }
  }

  private int find(long key, long hash) {
    if (capacity == 0) {
      return NONE;
    }
    int first = first(hash);
    for (int place = first; place < first + ways; place++) {
      if (keys[place] == key) {
        return place;
      }
    }
    return NONE;
  }

  /**
   * Returns a free place, or one that was not read since the last search; {@link #NONE} if none has
   * memory.
   */
  private int victim(long hash) {
    int first = first(hash);
    for (int place = first; place < first + ways; place++) {
      if (keys[place] == NONE && hasMemory(place)) {
        return place;
      }
    }
    for (int tries = 0; tries < 2 * ways; tries++) {
      int place = first + hand;
      hand = (hand + 1) % ways;
      if (keys[place] != NONE && !wasRead[place]) {
        return place;
      }
      wasRead[place] = false;
    }
    return NONE;
  }

  /** Gives a place memory, if there is any. */
  private boolean hasMemory(int place) {
    if (slots[place] != NONE) {
      return true;
    }
    if (used == slabs.size() * BLOCKS_OF_A_SLAB) {
      Optional<ByteBuffer> more =
          memory.allocate(Math.min(BLOCKS_OF_A_SLAB, capacity - used) * BLOCK_BYTES);
      if (more.isEmpty()) {
        return false;
      }
      slabs.add(more.get());
    }
    slots[place] = used++;
    return true;
  }

  private int first(long hash) {
    return (int) Long.remainderUnsigned(hash >>> HASH_SHIFT, sets) * ways;
  }

  private ByteBuffer slab(int slot) {
    return slabs.get(slot / BLOCKS_OF_A_SLAB);
  }

  private static int offset(int slot) {
    return slot % BLOCKS_OF_A_SLAB * BLOCK_BYTES;
  }
}
