package corfu.roles.logunit.streamindex;

/**
 * Pieces of a stream's list of entries, as pairs of log address and stream address in ascending
 * order of log address, mostly two or three bytes an entry.
 *
 * <pre>
 *   0      4      8      12     16        24        32        40
 *   +------+------+------+------+---------+---------+---------+----------- - -
 *   | older| newer| used | count| last    | its     | first   | steps
 *   |      |      | bytes|      | address | stream  | address |
 *   +------+------+------+------+---------+---------+---------+----------- - -
 * </pre>
 *
 * A step leads from an entry back to the one before it: twice the distance in the log and, where
 * that in the stream is not one, one more than that, with the distance in the stream less one
 * before it. Numbers have seven bits a byte and are read from their ends, so that who wants the
 * newest entries reads no others.
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

  /** A chunk without entries, of the smallest size. */
  int allocate(int older, int newer) {
    int chunk = blocks.allocate(Blocks.SMALLEST_BYTES);
    setOlder(chunk, older);
    setNewer(chunk, newer);
    clear(chunk);
    return chunk;
  }

  /** The same chunk in a larger block; it must not be the largest. The old one is free then. */
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

  /** Whether another entry may not find room, also in a larger block. */
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

  /** The log address of the newest entry, if there is one. */
  long last(int chunk) {
    return blocks.getLong(chunk, LAST);
  }

  /** The stream address of the newest entry, if there is one. */
  long lastInStream(int chunk) {
    return blocks.getLong(chunk, LAST_STREAM);
  }

  /** The log address of the oldest entry, if there is one. */
  long first(int chunk) {
    return blocks.getLong(chunk, FIRST);
  }

  void clear(int chunk) {
    blocks.putInt(chunk, USED, 0);
    blocks.putInt(chunk, COUNT, 0);
  }

  /** Adds an entry behind the last; false if there is no room in the block. */
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

  /** Highest bits first; the highest bit of a byte says that it is not the number's first. */
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

  /** Takes the newest entry out, which is there. */
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

  /** Goes back from the newest entry of a chunk, which has one. */
  Cursor cursor(int chunk) {
    return new Cursor(chunk);
  }

  /** Where somebody is in a chunk that does not change meanwhile. */
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

    /** To the entry before; false where there is none in the chunk. */
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
