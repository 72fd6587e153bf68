package corfu.objects.internal.checkpoint;

import corfu.objects.serial.SerializationException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** The bytes of parts, one part behind the other; holds one part at a time. For one thread. */
final class PartBytes {

  /** A part is written when it has grown as large. */
  static final int MOST = 256 << 10;

  private final Iterator<ByteBuffer> parts;
  private final List<Piece> pieces = new ArrayList<>(); // of what was read last
  private ByteBuffer current = ByteBuffer.allocate(0);
  private int part = -1; // which one is current

  /**
   * Where some of what was read is.
   *
   * @param part the how manieth, from 0
   */
  record Piece(int part, int offset, int length) {}

  /**
   * @param parts throws {@link java.util.NoSuchElementException} where one is missing
   */
  PartBytes(Iterator<ByteBuffer> parts) {
    this.parts = parts;
  }

  /** A length as {@link corfu.objects.serial.ValueOutput#writeVarLong} wrote it. */
  int readLength() {
    long length = 0;
    for (int shift = 0; shift < Integer.SIZE; shift += 7) {
      fill();
      int next = current.get();
      length |= (next & 0x7fL) << shift;
      if (next >= 0) {
        if (length > Integer.MAX_VALUE) {
          break;
        }
        return (int) length;
      }
    }
    throw new SerializationException("damaged: a value in a checkpoint is too long");
  }

  /** Where the bytes are that {@link #read} gave last. */
  List<Piece> pieces() {
    return List.copyOf(pieces);
  }

  ByteBuffer read(int length) {
    pieces.clear();
    fill();
    if (current.remaining() >= length) {
      pieces.add(new Piece(part, current.position(), length));
      ByteBuffer slice = current.slice(current.position(), length);
      current.position(current.position() + length);
      return slice;
    }
    return joined(length);
  }

  /** Memory is taken as the bytes are found: the length may be damaged. */
  private ByteBuffer joined(int length) {
    List<ByteBuffer> found = new ArrayList<>();
    int missing = length;
    while (missing > 0) {
      fill();
      int some = Math.min(current.remaining(), missing);
      found.add(current.slice(current.position(), some));
      pieces.add(new Piece(part, current.position(), some));
      current.position(current.position() + some);
      missing -= some;
    }
    ByteBuffer joined = ByteBuffer.allocate(length);
    found.forEach(joined::put);
    return joined.flip();
  }

  private void fill() {
    while (!current.hasRemaining()) {
      current = parts.next();
      part++;
    }
  }
}
