package corfu.roles.logunit.pagemap;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * A map from 16-bit offsets to 40-bit values in a fixed number of slots outside the heap, by cuckoo
 * hashing with permutations (SLICE, section 4.4).
 *
 * <p>Two permutations map each offset to two numbers. The number divided by R selects a bucket of
 * four slots. The slot stores only the remainder, and a bit for the permutation. Bucket, remainder
 * and bit give the number back, and the number gives the offset.
 *
 * <pre>
 *   slot, little-endian, 6 to 8 bytes:
 *
 *    63 / 55 / 47            40 39                                    0
 *   +--------------------------+---------------------------------------+
 *   | 1 + 2 * remainder + bit  |                 value                 |    all 0: empty
 *   +--------------------------+---------------------------------------+
 *
 *   R &lt;= 127: 6 bytes (from 517 buckets on), R &lt;= 32767: 7 bytes (from 3 buckets on), else 8
 * </pre>
 *
 * A bucket has 24 to 32 bytes, so a lookup touches one cache line or two neighbouring ones. For the
 * few offsets in their second bucket it touches as many again. With R = 4 every offset has a slot
 * of its own, so a table of the largest size always has room. Not thread-safe.
 */
final class CuckooTable implements AutoCloseable {

  static final int VALUE_BITS = 40;
  static final long VALUE_MASK = (1L << VALUE_BITS) - 1;
  static final int SLOTS_PER_BUCKET = 4;

  /** The load beyond which an insertion would move too many other entries. */
  static final double DESIGN_LOAD = 0.95;

  /** The size below which tables grow in larger steps. */
  private static final int SMALL_BYTES = 4096;

  /** Slots are read and written as 64-bit words, whatever their width. */
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final long EMPTY = 0;

  private final Arena arena;
  private final MemorySegment memory;
  private final int buckets;
  private final int remainders;
  private final long reciprocal;
  private final int slotBytes;
  private final long slotMask;
  private final int firstKey;
  private final int secondKey;
  private final int capacity;
  private int size;
  private int choices;

  /**
   * Creates an empty table.
   *
   * @param arena allocates the table's memory; closed with the table
   * @param wantedBuckets the wanted number of buckets, 1 or more; the table gets at least as many,
   *     up to the largest useful number
   * @param seed decides the two permutations
   */
  CuckooTable(Arena arena, int wantedBuckets, long seed) {
    this.arena = arena;
    remainders = remaindersFor(wantedBuckets);
    buckets = bucketsOf(remainders);
    // Numbers and R have 16 bits, so multiplying by this and dropping 32 bits divides exactly.
    reciprocal = (1L << 32) / remainders + 1;
    slotBytes = slotBytes(remainders);
    slotMask = -1L >>> (Long.SIZE - 8 * slotBytes);
    long keys = Permutation.mix(seed);
    firstKey = (int) keys & 0xffffff;
    secondKey = (int) (keys >>> 32) & 0xffffff;
    int slots = buckets * SLOTS_PER_BUCKET;
    capacity = remainders == SLOTS_PER_BUCKET ? slots : (int) Math.ceil(slots * DESIGN_LOAD);
    // The word of the last slot may reach beyond it.
    memory = arena.allocate((long) slots * slotBytes + Long.BYTES - slotBytes, 64);
  }

  private static int slotBytes(int remainders) {
    int highestTag = 2 * remainders;
    int tagBits = Integer.SIZE - Integer.numberOfLeadingZeros(highestTag);
    return Math.max(6, Math.ceilDiv(VALUE_BITS + tagBits, 8));
  }

  private static int remaindersFor(int wantedBuckets) {
    int remainders = Math.ceilDiv(Permutation.NUMBERS, wantedBuckets);
    if (bucketsOf(remainders) < wantedBuckets) {
      remainders--;
    }
    return Math.max(remainders, SLOTS_PER_BUCKET);
  }

  private static int bucketsOf(int remainders) {
    return Math.ceilDiv(Permutation.NUMBERS, remainders);
  }

  /** Returns the number of buckets for this many entries at the design load. */
  static int bucketsFor(int entries) {
    return Math.max(1, (int) Math.ceil(entries / (SLOTS_PER_BUCKET * DESIGN_LOAD)));
  }

  /**
   * Returns the number of buckets of the table that replaces this one when it is full: up to a
   * quarter more, or twice as many for a small table.
   */
  int bucketsOfNext() {
    boolean small = memory.byteSize() < SMALL_BYTES;
    int atMost = Math.max(buckets + 1, small ? 2 * buckets : buckets + buckets / 4);
    return bucketsOf(Math.ceilDiv(Permutation.NUMBERS, atMost));
  }

  int size() {
    return size;
  }

  int slots() {
    return buckets * SLOTS_PER_BUCKET;
  }

  long memoryBytes() {
    return memory.byteSize();
  }

  /** Returns whether one more entry would exceed the design load. */
  boolean isFull() {
    return size >= capacity;
  }

  /** Returns the value of the offset, or -1. */
  long get(int offset) {
    int number = Permutation.apply(firstKey, offset);
    int bucket = bucketOf(number);
    long found = find(bucket, tag(number, bucket, 0));
    if (found >= 0) {
      return found;
    }
    number = Permutation.apply(secondKey, offset);
    bucket = bucketOf(number);
    return find(bucket, tag(number, bucket, 1));
  }

  /** Replaces the value of an offset. Returns false if the offset is absent. */
  boolean replace(int offset, long value) {
    long slot = slotOf(offset);
    if (slot < 0) {
      return false;
    }
    write(slot, (read(slot) & ~VALUE_MASK) | value);
    return true;
  }

  /** Removes an offset. Returns false if it is absent. */
  boolean remove(int offset) {
    long slot = slotOf(offset);
    if (slot < 0) {
      return false;
    }
    write(slot, EMPTY);
    size--;
    return true;
  }

  /**
   * Adds an absent offset, moving others to their other bucket if necessary.
   *
   * @return false if there was no room; then nothing has changed
   */
  boolean add(int offset, long value, Trail trail) {
    if (addAt(offset, 0, value) || addAt(offset, 1, value) || addByMoving(offset, value, trail)) {
      size++;
      return true;
    }
    return false;
  }

  /**
   * Adds all entries of another table to this empty one. Returns false if not all of them found
   * room.
   *
   * <p>If both tables have the same permutations, the numbers are the same, too. A walk through the
   * old table's buckets is then also a walk through the new table's. Most entries move without a
   * permutation, into a line that is in the cache. The largest table uses the first permutation
   * only, by which every offset has a slot of its own.
   */
  boolean addAll(CuckooTable other, Trail trail) {
    boolean sameNumbers = firstKey == other.firstKey && remainders > SLOTS_PER_BUCKET;
    for (int bucket = 0; bucket < other.buckets; bucket++) {
      for (int i = 0; i < SLOTS_PER_BUCKET; i++) {
        long word = other.read(other.slot(bucket, i));
        if (word == EMPTY) {
          continue;
        }
        long value = word & VALUE_MASK;
        if (sameNumbers && addNumber(other.numberOf(bucket, word), functionOf(word), value)) {
          size++;
        } else if (!add(other.offsetOf(bucket, word), value, trail)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Visits all entries in no particular order. The table must not change meanwhile. */
  void forEach(EntryVisitor visitor) {
    for (int bucket = 0; bucket < buckets; bucket++) {
      for (int i = 0; i < SLOTS_PER_BUCKET; i++) {
        long word = read(slot(bucket, i));
        if (word != EMPTY) {
          visitor.visit(offsetOf(bucket, word), word & VALUE_MASK);
        }
      }
    }
  }

  /** Removes all offsets below {@code bound}, by inspecting every slot. */
  void removeBelow(int bound) {
    for (int bucket = 0; bucket < buckets; bucket++) {
      for (int i = 0; i < SLOTS_PER_BUCKET; i++) {
        long slot = slot(bucket, i);
        long word = read(slot);
        if (word != EMPTY && offsetOf(bucket, word) < bound) {
          write(slot, EMPTY);
          size--;
        }
      }
    }
  }

  /** Frees the memory. */
  @Override
  public void close() {
    arena.close();
  }

  /**
   * Walks from bucket to bucket: an evicted entry goes to its other bucket, until one has room. A
   * walk without success is undone.
   */
  private boolean addByMoving(int offset, long value, Trail trail) {
    int homeless = offset;
    long homelessValue = value;
    int function = nextChoice() & 1;
    for (int step = 0; step < Trail.LENGTH; step++) {
      if (step > 0 && addAt(homeless, function, homelessValue)) {
        return true;
      }
      int number = number(homeless, function);
      int bucket = bucketOf(number);
      long slot = slot(bucket, nextChoice() & SLOTS_PER_BUCKET - 1);
      long evicted = read(slot);
      trail.record(step, slot, evicted);
      write(slot, tag(number, bucket, function) | homelessValue);
      homeless = offsetOf(bucket, evicted);
      homelessValue = evicted & VALUE_MASK;
      function = 1 - functionOf(evicted);
    }
    for (int step = Trail.LENGTH - 1; step >= 0; step--) {
      write(trail.slot(step), trail.evicted(step));
    }
    return false;
  }

  /**
   * Returns the next pseudo-random choice of a bucket or slot. Any distribution will do, but it
   * must be reproducible.
   */
  private int nextChoice() {
    choices = choices * 0x343fd + 0x269ec3;
    return choices >>> 16;
  }

  private boolean addAt(int offset, int function, long value) {
    return addNumber(number(offset, function), function, value);
  }

  private boolean addNumber(int number, int function, long value) {
    int bucket = bucketOf(number);
    for (int i = 0; i < SLOTS_PER_BUCKET; i++) {
      long slot = slot(bucket, i);
      if (read(slot) == EMPTY) {
        write(slot, tag(number, bucket, function) | value);
        return true;
      }
    }
    return false;
  }

  /** Returns the slot of the offset, or -1. */
  private long slotOf(int offset) {
    for (int function = 0; function <= 1; function++) {
      int number = number(offset, function);
      int bucket = bucketOf(number);
      long tag = tag(number, bucket, function);
      for (int i = 0; i < SLOTS_PER_BUCKET; i++) {
        long slot = slot(bucket, i);
        if ((read(slot) & ~VALUE_MASK) == tag) {
          return slot;
        }
      }
    }
    return -1;
  }

  /** Returns the value of the bucket's slot with this tag, or -1. */
  private long find(int bucket, long tag) {
    long slot = slot(bucket, 0);
    for (int i = 0; i < SLOTS_PER_BUCKET; i++, slot += slotBytes) {
      long word = read(slot);
      if ((word & ~VALUE_MASK) == tag) {
        return word & VALUE_MASK;
      }
    }
    return -1;
  }

  private int number(int offset, int function) {
    return Permutation.apply(function == 0 ? firstKey : secondKey, offset);
  }

  private int bucketOf(int number) {
    return (int) ((number * reciprocal) >>> 32);
  }

  private long tag(int number, int bucket, int function) {
    return (long) (1 + 2 * (number - bucket * remainders) + function) << VALUE_BITS;
  }

  private static int functionOf(long word) {
    return (int) ((word >>> VALUE_BITS) - 1) & 1;
  }

  /** Computes the offset from a slot's position and content. */
  private int offsetOf(int bucket, long word) {
    int key = functionOf(word) == 0 ? firstKey : secondKey;
    return Permutation.invert(key, numberOf(bucket, word));
  }

  private int numberOf(int bucket, long word) {
    int remainder = (int) ((word >>> VALUE_BITS) - 1) >>> 1;
    return bucket * remainders + remainder;
  }

  private long slot(int bucket, int index) {
    return ((long) bucket * SLOTS_PER_BUCKET + index) * slotBytes;
  }

  private long read(long slot) {
    return memory.get(WORD, slot) & slotMask;
  }

  private void write(long slot, long word) {
    memory.set(WORD, slot, (memory.get(WORD, slot) & ~slotMask) | word);
  }

  /** A visitor of entries, called once for each. */
  interface EntryVisitor {
    void visit(int offset, long value);
  }

  /** The path of an insertion, with the evicted entries. One trail serves any number of tables. */
  static final class Trail {

    /** The largest number of entries that one insertion may move. */
    static final int LENGTH = 256;

    private final long[] slots = new long[LENGTH];
    private final long[] evicted = new long[LENGTH];

    private void record(int step, long slot, long word) {
      slots[step] = slot;
      evicted[step] = word;
    }

    private long slot(int step) {
      return slots[step];
    }

    private long evicted(int step) {
      return evicted[step];
    }
  }
}
