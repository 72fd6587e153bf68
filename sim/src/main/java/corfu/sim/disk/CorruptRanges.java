package corfu.sim.disk;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The ranges of a file that the disk reads wrong. The written bytes are kept, so that the disk can
 * be repaired if no other replica has the corrupted contents.
 *
 * <pre>
 *   written |AAAA|BBBB|CCCC|DDDD|
 *   lies         |0000|    |DDxD|
 *   read    |AAAA|0000|CCCC|DDxD|
 * </pre>
 */
public final class CorruptRanges {

  private final List<Lie> lies = new ArrayList<>();

  /** Bytes that are read from {@code from} on. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Lie(long from, byte[] bytes) {
    long end() {
      return from + bytes.length;
    }

    boolean touches(long start, long end) {
      return from < end && start < end();
    }
  }

  boolean isEmpty() {
    return lies.isEmpty();
  }

  /** Reads return these bytes there, until the range is written. */
  public void tell(long from, byte[] bytes) {
    if (bytes.length > 0) {
      lies.add(new Lie(from, bytes));
    }
  }

  /** Makes a written range correct. The rest of older wrong ranges beside it stays. */
  void isWritten(long from, long length) {
    long end = from + length;
    for (Lie lie : List.copyOf(lies)) {
      if (lie.touches(from, end)) {
        lies.remove(lie);
        tell(lie.from, part(lie, lie.from, Math.min(lie.end(), from)));
        tell(Math.max(lie.from, end), part(lie, Math.max(lie.from, end), lie.end()));
      }
    }
  }

  private static byte[] part(Lie lie, long from, long end) {
    if (end <= from) {
      return new byte[0];
    }
    byte[] bytes = new byte[(int) (end - from)];
    System.arraycopy(lie.bytes, (int) (from - lie.from), bytes, 0, bytes.length);
    return bytes;
  }

  /** Truncates the file. */
  void isCut(long size) {
    isWritten(size, Long.MAX_VALUE / 2 - size);
  }

  void end() {
    lies.clear();
  }

  /** Overlays the read bytes, which begin at this position of the file, with the wrong ones. */
  void distort(ByteBuffer read, int start, long position) {
    for (Lie lie : lies) {
      long end = position + read.position() - start;
      long from = Math.max(lie.from, position);
      long to = Math.min(lie.end(), end);
      for (long at = from; at < to; at++) {
        read.put(start + (int) (at - position), lie.bytes[(int) (at - lie.from)]);
      }
    }
  }
}
