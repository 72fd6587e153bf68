package corfu.silver.writeback;

import java.nio.ByteBuffer;
import java.util.BitSet;

/** The bytes of a range of a file that wait for the log, as copies. For one thread. */
final class Overlay {

  private final long from;
  private final byte[] bytes;
  private final BitSet isHere = new BitSet();
  private long fileEnd;

  /**
   * @param from the first byte's offset
   * @param length the number of bytes
   */
  Overlay(long from, int length) {
    this.from = from;
    this.bytes = new byte[length];
  }

  long from() {
    return from;
  }

  long to() {
    return from + bytes.length;
  }

  /** Puts bytes over those that are here already. Bytes outside of the range do not count. */
  void put(long offset, ByteBuffer data) {
    long first = Math.max(offset, from);
    long end = Math.min(offset + data.remaining(), to());
    if (first < end) {
      int at = (int) (first - from);
      int count = (int) (end - first);
      data.get(data.position() + (int) (first - offset), bytes, at, count);
      isHere.set(at, at + count);
    }
  }

  /** Tells where the file ends at least. */
  void endsAt(long end) {
    fileEnd = Math.max(fileEnd, end);
  }

  boolean isEmpty() {
    return isHere.isEmpty() && fileEnd <= from;
  }

  /** Returns whether the log has nothing to add. */
  boolean isWhole() {
    return isHere.cardinality() == bytes.length;
  }

  ByteBuffer whole() {
    return ByteBuffer.wrap(bytes);
  }

  /**
   * Returns the range with the bytes that are here over those of the log.
   *
   * @param stored the bytes of the log; fewer only at the end of the file there
   */
  ByteBuffer over(ByteBuffer stored) {
    int length =
        (int) Math.max(stored.remaining(), Math.min(bytes.length, Math.max(0, fileEnd - from)));
    byte[] result = new byte[length];
    stored.get(stored.position(), result, 0, stored.remaining());
    int first = isHere.nextSetBit(0);
    while (first >= 0) {
      int end = isHere.nextClearBit(first);
      System.arraycopy(bytes, first, result, first, Math.min(end, length) - first);
      first = isHere.nextSetBit(end);
    }
    return ByteBuffer.wrap(result);
  }
}
