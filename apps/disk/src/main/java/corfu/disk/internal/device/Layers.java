package corfu.disk.internal.device;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * The content of a range: what the log does not have yet, over what it has.
 *
 * @param unwritten the pieces of the range that wait in memory
 * @param written the content that the log has
 */
record Layers(PieceMap unwritten, DiskContent written) {

  static Layers of(DiskContent written) {
    return new Layers(new PieceMap(), written);
  }

  /** Returns whether the range needs nothing from the log. */
  boolean isInMemory(long offset, int length) {
    return firstGap(offset, offset + length) == offset + length;
  }

  /** Returns the first byte that no piece covers, or the end. */
  private long firstGap(long from, long to) {
    long gap = from;
    for (Piece piece : unwritten.in(from, to)) {
      if (piece.offset() > gap) {
        return gap;
      }
      gap = piece.end();
    }
    return Math.min(gap, to);
  }

  /** Returns the end of the last byte that no piece covers, or the start. */
  private long lastGap(long from, long to) {
    long gap = to;
    for (Piece piece : unwritten.in(from, to).reversed()) {
      if (piece.end() < gap) {
        return gap;
      }
      gap = piece.offset();
    }
    return Math.max(gap, from);
  }

  /** Reads a range. May block, unless it {@linkplain #isInMemory is in memory}. */
  ByteBuffer read(long offset, int length) {
    long from = firstGap(offset, offset + length);
    long to = lastGap(from, offset + length);
    List<Piece> pieces = unwritten.in(offset, offset + length);
    if (pieces.isEmpty()) {
      return padded(written.read(offset, length), length);
    }
    ByteBuffer all = ByteBuffer.allocate(length);
    if (from < to) {
      ByteBuffer read = written.read(from, (int) (to - from));
      all.put((int) (from - offset), read, read.position(), read.remaining());
    }
    for (Piece whole : pieces) {
      Piece piece = whole.within(offset, offset + length);
      int at = (int) (piece.offset() - offset);
      ByteBuffer data = piece.data().orElseGet(() -> ByteBuffer.allocate((int) piece.length()));
      all.put(at, data, data.position(), (int) piece.length());
    }
    return all;
  }

  private static ByteBuffer padded(ByteBuffer read, int length) {
    if (read.remaining() == length) {
      return read;
    }
    return ByteBuffer.allocate(length).put(0, read, read.position(), read.remaining());
  }
}
