package corfu.roles.logunit.streamindex;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/**
 * Finds the records of one part of the streams by their hashes. It has slots of eight bytes outside
 * the heap, probed one after the other, up to three quarters of them in use. A slot has 32 bits of
 * the hash and the number of the record, which is never 0. Not thread-safe.
 */
final class StreamTable implements AutoCloseable {

  private static final int FIRST_SLOTS = 8;
  private static final ValueLayout.OfLong SLOT = ValueLayout.JAVA_LONG;
  private static final long EMPTY = 0;

  private final Supplier<Arena> arenas;
  private Arena arena;
  private MemorySegment slots;
  private int mask;
  private int size;

  StreamTable(Supplier<Arena> arenas) {
    this.arenas = arenas;
    this.arena = arenas.get();
    this.slots = allocate(FIRST_SLOTS);
    this.mask = FIRST_SLOTS - 1;
  }

  private MemorySegment allocate(int count) {
    return arena.allocate((long) count * Long.BYTES, Long.BYTES);
  }

  int size() {
    return size;
  }

  /** Returns the record with this hash for which {@code isIt} is true, or 0 if there is none. */
  int find(long hash, IntPredicate isIt) {
    int tag = (int) hash;
    for (int i = tag & mask; ; i = i + 1 & mask) {
      long slot = get(i);
      if (slot == EMPTY) {
        return 0;
      }
      if ((int) (slot >>> 32) == tag && isIt.test((int) slot)) {
        return (int) slot;
      }
    }
  }

  /** Adds an absent record. */
  void add(long hash, int item) {
    if (4 * (size + 1) > 3 * slotCount()) {
      grow();
    }
    put((int) hash, Integer.toUnsignedLong(item));
    size++;
  }

  private void put(int tag, long item) {
    int i = tag & mask;
    while (get(i) != EMPTY) {
      i = i + 1 & mask;
    }
    set(i, (long) tag << 32 | item);
  }

  private void grow() {
    Arena oldArena = arena;
    MemorySegment old = slots;
    int count = slotCount();
    arena = arenas.get();
    slots = allocate(2 * count);
    mask = 2 * count - 1;
    for (int i = 0; i < count; i++) {
      long slot = old.getAtIndex(SLOT, i);
      if (slot != EMPTY) {
        put((int) (slot >>> 32), slot & 0xffff_ffffL);
      }
    }
    oldArena.close();
  }

  /** Removes a present record. Records that it had displaced move back. */
  void remove(long hash, int item) {
    int gap = (int) hash & mask;
    while ((int) get(gap) != item) {
      gap = gap + 1 & mask;
    }
    for (int i = gap + 1 & mask; get(i) != EMPTY; i = i + 1 & mask) {
      int home = (int) (get(i) >>> 32) & mask;
      if ((i - home & mask) >= (i - gap & mask)) {
        set(gap, get(i));
        gap = i;
      }
    }
    set(gap, EMPTY);
    size--;
  }

  /** Returns the number of slots, empty ones included. */
  int slotCount() {
    return mask + 1;
  }

  /** Returns the record in a slot, or 0 if it is empty. */
  int at(int slot) {
    return (int) get(slot);
  }

  long memoryBytes() {
    return slots.byteSize();
  }

  private long get(int slot) {
    return slots.getAtIndex(SLOT, slot);
  }

  private void set(int slot, long value) {
    slots.setAtIndex(SLOT, slot, value);
  }

  @Override
  public void close() {
    arena.close();
  }
}
