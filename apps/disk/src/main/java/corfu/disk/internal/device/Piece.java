package corfu.disk.internal.device;

import corfu.bytes.RangeChange;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * New content of a range. Immutable.
 *
 * @param offset the first byte's offset on the disk
 * @param length the number of bytes, 1 or more
 * @param data the bytes, from the buffer's position to its limit, or empty for zeros
 */
record Piece(long offset, long length, Optional<ByteBuffer> data) {

  static Piece of(long offset, ByteBuffer data) {
    return new Piece(offset, data.remaining(), Optional.of(data));
  }

  static Piece zeros(long offset, long length) {
    return new Piece(offset, length, Optional.empty());
  }

  /** Returns the offset behind the last byte. */
  long end() {
    return offset + length;
  }

  /** Returns the bytes of memory that it holds. */
  int dataBytes() {
    return data.isPresent() ? (int) length : 0;
  }

  /** Returns the part within a range that overlaps it. */
  Piece within(long from, long to) {
    long low = Math.max(offset, from);
    long high = Math.min(end(), to);
    if (low == offset && high == end()) {
      return this;
    }
    return new Piece(
        low,
        high - low,
        data.map(
            bytes -> bytes.slice(bytes.position() + (int) (low - offset), (int) (high - low))));
  }

  RangeChange change() {
    return data.<RangeChange>map(bytes -> new RangeChange.Write(offset, bytes.duplicate()))
        .orElseGet(() -> new RangeChange.Punch(offset, length));
  }
}
