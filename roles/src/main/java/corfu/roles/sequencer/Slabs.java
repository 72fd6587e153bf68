package corfu.roles.sequencer;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;

/**
 * Records of one size outside the heap, numbered from 0, initially zero. Memory is allocated when
 * records are added: a little for the first ones, then one slab at a time. Growing never moves more
 * than one slab. Not thread-safe, but not tied to the thread that created it either.
 */
final class Slabs implements AutoCloseable {

  private static final int SHIFT = 13;

  /** The number of records in a slab: so small that an allocation is not noticeable. */
  static final int RECORDS = 1 << SHIFT;

  private static final int MASK = RECORDS - 1;

  /**
   * The size of the first slab at the start. It grows by a factor each time, and must reach the
   * full size.
   */
  private static final int FIRST_RECORDS = RECORDS >>> 8;

  private static final int FIRST_GROWTH = 4;

  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final int recordBytes;
  private Optional<Arena> arena = Optional.empty();
  private MemorySegment[] slabs = {};
  private int slabCount;
  private int capacity;
  private long memoryBytes;

  /** Creates an empty list without memory. */
  Slabs(int recordBytes) {
    this.recordBytes = recordBytes;
  }

  /** Makes room for this record and all before it. */
  void reach(int record) {
    while (record >= capacity) {
      grow();
    }
  }

  int getInt(int record, int at) {
    return slabs[record >>> SHIFT].get(INT, offset(record) + at);
  }

  long getLong(int record, int at) {
    return slabs[record >>> SHIFT].get(LONG, offset(record) + at);
  }

  void putInt(int record, int at, int value) {
    slabs[record >>> SHIFT].set(INT, offset(record) + at, value);
  }

  void putLong(int record, int at, long value) {
    slabs[record >>> SHIFT].set(LONG, offset(record) + at, value);
  }

  /** Returns the allocated memory in bytes. */
  long memoryBytes() {
    return memoryBytes;
  }

  /** Frees all memory. No method may be called afterwards. */
  @Override
  public void close() {
    arena.ifPresent(Arena::close);
    arena = Optional.empty();
    slabs = new MemorySegment[0];
    slabCount = 0;
    capacity = 0;
    memoryBytes = 0;
  }

  private long offset(int record) {
    return (long) (record & MASK) * recordBytes;
  }

  /**
   * Enlarges the first slab until it has the full size. Its outgrown versions are freed at the end.
   */
  private void grow() {
    if (capacity < RECORDS) {
      int records = capacity == 0 ? FIRST_RECORDS : capacity * FIRST_GROWTH;
      MemorySegment larger = allocate(records);
      if (capacity > 0) {
        larger.copyFrom(slabs[0]);
      }
      slabs = new MemorySegment[] {larger};
      slabCount = 1;
      capacity = records;
      return;
    }
    if (slabCount == slabs.length) {
      slabs = Arrays.copyOf(slabs, 2 * slabCount);
    }
    slabs[slabCount++] = allocate(RECORDS);
    capacity += RECORDS;
  }

  private MemorySegment allocate(int records) {
    Arena from = arena.orElseGet(Arena::ofShared);
    arena = Optional.of(from);
    long bytes = (long) records * recordBytes;
    memoryBytes += bytes;
    return from.allocate(bytes, Long.BYTES);
  }
}
