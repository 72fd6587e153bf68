package corfu.disk.internal.device;

import java.nio.ByteBuffer;
import java.util.List;

/** One version of a disk's bytes. It never changes. Thread-safe. */
public interface DiskContent {

  /**
   * A range of bytes that was written, and the place of its bytes in the log.
   *
   * @param offset the first byte's offset on the disk
   * @param length the number of bytes, 1 or more
   * @param address the log address of the entry that holds the bytes
   * @param position the first byte's position in that entry
   */
  record DataRange(long offset, long length, long address, long position) {

    /** Returns the offset behind the last byte. */
    public long end() {
      return offset + length;
    }
  }

  /**
   * Reads a range; may block.
   *
   * @return the bytes; fewer than {@code length} if nothing was written behind them
   */
  ByteBuffer read(long offset, int length);

  /**
   * Returns the written ranges within a range, in ascending order.
   *
   * @param most the most ranges to return, 1 or more; if there are so many, the last one ends
   *     before the part that the caller has not learned of
   */
  List<DataRange> ranges(long from, long to, int most);
}
