package corfu.roles.logunit.streamindex;

/**
 * Pieces of a stream's list of entries: pairs of log address and stream address in ascending order
 * of log address, mostly two or three bytes for each entry.
 *
 * <pre>
 *   0      4      8      12     16        24        32        40
 *   +------+------+------+------+---------+---------+---------+----------- - -
 *   | older| newer| used | count| last    | its     | first   | steps
 *   |      |      | bytes|      | address | stream  | address |
 *   +------+------+------+------+---------+---------+---------+----------- - -
 * </pre>
 *
 * A step leads from an entry back to the previous one. Its first number is twice the distance in
 * the log. If the distance in the stream is not one, 1 is added to this number, and the distance in
 * the stream less one stands before it. Numbers have seven bits in each byte, and are read from
 * their ends. So a reader of the newest entries reads no others.
 */
final class Chunks {

  private static final int OLDER = 0;
  private static final int NEWER = 4;
  private static final int USED = 8;
  private static final int COUNT = 12;
  private static final int LAST = 16;
  private static final int LAST_STREAM = 24;
  private static final int FIRST = 32;
  private static final int STEPS = 40;
  private static final int LONGEST_STEP = 20;

  private final Blocks blocks;

  Chunks(Blocks blocks) {
    this.blocks = blocks;
  }

  /** Allocates an empty chunk of the smallest size. */
  int allocate(int older, int newer) {
    int chunk = blocks.allocate(Blocks.SMALLEST_BYTES);
    setOlder(chunk, older);
    setNewer(chunk, newer);
    clear(chunk);
    return chunk;
  }

  /**
   * Moves the chunk to a larger block, and frees the old one. The chunk must not have the largest
   * size.
   */
  int enlarge(int chunk) {
    int larger = blocks.allocate(2 * blocks.sizeOf(chunk));
    blocks.copy(chunk, larger, STEPS + usedBytes(chunk));
    blocks.free(chunk);
    return larger;
  }

  void free(int chunk) {
    blocks.free(chunk);
  }

  boolean isLargest(int chunk) {
    return blocks.sizeOf(chunk) == Blocks.LARGEST_BYTES;
  }

  /** Returns whether another entry may find no room, even in a larger block. */
  boolean isFull(int chunk) {
    return STEPS + usedBytes(chunk) + LONGEST_STEP > Blocks.LARGEST_BYTES;
  }

  int older(int chunk) {
    return blocks.getInt(chunk, OLDER);
  }

  void setOlder(int chunk, int older) {
    blocks.putInt(chunk, OLDER, older);
  }

  int newer(int chunk) {
    return blocks.getInt(chunk, NEWER);
  }

  void setNewer(int chunk, int newer) {
    blocks.putInt(chunk, NEWER, newer);
  }

  int count(int chunk) {
    return blocks.getInt(chunk, COUNT);
  }

  int usedBytes(int chunk) {
    return blocks.getInt(chunk, USED);
  }

  /** Returns the log address of the newest entry. The chunk must not be empty. */
  long last(int chunk) {
    return blocks.getLong(chunk, LAST);
  }

  /** Returns the stream address of the newest entry. The chunk must not be empty. */
  long lastInStream(int chunk) {
    return blocks.getLong(chunk, LAST_STREAM);
  }

  /** Returns the log address of the oldest entry. The chunk must not be empty. */
  long first(int chunk) {
    return blocks.getLong(chunk, FIRST);
  }

  void clear(int chunk) {
    blocks.putInt(chunk, USED, 0);
    blocks.putInt(chunk, COUNT, 0);
  }

  /** Adds an entry behind the last one. Returns false if the block has no room. */
  boolean append(int chunk, long address, long streamAddress) {
    int count = count(chunk);
    if (count == 0) {
      blocks.putLong(chunk, FIRST, address);
    } else if (!appendStep(chunk, address - last(chunk), streamAddress - lastInStream(chunk))) {
      return false;
    }
    blocks.putInt(chunk, COUNT, count + 1);
    blocks.putLong(chunk, LAST, address);
    blocks.putLong(chunk, LAST_STREAM, streamAddress);
    return true;
  }

  private boolean appendStep(int chunk, long inLog, long inStream) {
    int used = usedBytes(chunk);
    boolean single = inStream == 1;
    long step = inLog << 1 | (single ? 0 : 1);
    long rest = ((inStream - 1) << 1) ^ ((inStream - 1) >> 63);
    int bytes = lengthOf(step) + (single ? 0 : lengthOf(rest));
    if (STEPS + used + bytes > blocks.sizeOf(chunk)) {
      return false;
    }
    if (!single) {
      used = putNumber(chunk, used, rest);
    }
    blocks.putInt(chunk, USED, putNumber(chunk, used, step));
    return true;
  }

  /**
   * Writes a number, the highest bits first. The highest bit of a byte tells that it is not the
   * number's first byte.
   */
  private int putNumber(int chunk, int used, long value) {
    int at = STEPS + used;
    int bytes = lengthOf(value);
    for (int i = bytes - 1; i >= 0; i--) {
      int more = i < bytes - 1 ? 0x80 : 0;
      blocks.putByte(chunk, at++, (byte) (((value >>> (7 * i)) & 0x7f) | more));
    }
    return used + bytes;
  }

  private static int lengthOf(long value) {
    return (70 - Long.numberOfLeadingZeros(value | 1)) / 7;
  }

  /** Removes the newest entry. The chunk must not be empty. */
  void dropLast(int chunk) {
    Cursor cursor = new Cursor(chunk);
    boolean hasMore = cursor.back();
    blocks.putInt(chunk, COUNT, cursor.left);
    if (hasMore) {
      blocks.putLong(chunk, LAST, cursor.address);
      blocks.putLong(chunk, LAST_STREAM, cursor.streamAddress);
    }
    blocks.putInt(chunk, USED, cursor.used);
  }

  /** Returns a cursor at the newest entry of a chunk, which must not be empty. */
  Cursor cursor(int chunk) {
    return new Cursor(chunk);
  }

  /** A position in a chunk, which must not change meanwhile. */
  final class Cursor {
    private final int chunk;
    private int left;
    private int used;
    private long address;
    private long streamAddress;

    private Cursor(int chunk) {
      this.chunk = chunk;
      this.left = count(chunk);
      this.used = usedBytes(chunk);
      this.address = last(chunk);
      this.streamAddress = lastInStream(chunk);
    }

    long address() {
      return address;
    }

    long streamAddress() {
      return streamAddress;
    }

    /** Moves to the previous entry. Returns false if there is none in the chunk. */
    boolean back() {
      left--;
      if (left == 0) {
        return false;
      }
      long step = number();
      address -= step >>> 1;
      streamAddress -= 1;
      if ((step & 1) != 0) {
        long rest = number();
        streamAddress -= (rest >>> 1) ^ -(rest & 1);
      }
      return true;
    }

    private long number() {
      long value = 0;
      int shift = 0;
      byte read;
      do {
        used--;
        read = blocks.getByte(chunk, STEPS + used);
        value |= (long) (read & 0x7f) << shift;
        shift += 7;
      } while (read < 0);
      return value;
    }
  }
}
