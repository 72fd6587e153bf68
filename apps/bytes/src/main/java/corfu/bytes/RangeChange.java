package corfu.bytes;

import java.nio.ByteBuffer;

/** A change of a range of an array, for {@link ArrayWriter#append}. */
public sealed interface RangeChange {

  /**
   * Bytes replace those at an offset. A gap behind the array's end reads as zeros.
   *
   * @param offset the first byte's offset, 0 or more
   * @param data one byte or more, from the buffer's position to its limit; not changed
   */
  record Write(long offset, ByteBuffer data) implements RangeChange {}

  /**
   * A range reads as zeros, which need no space. The array's size stays.
   *
   * @param offset the first byte's offset, 0 or more
   * @param length the number of bytes, from 0 to 2^62 - 1
   */
  record Punch(long offset, long length) implements RangeChange {}

  /**
   * The array gets this size. Bytes that are new are zeros.
   *
   * @param sizeBytes the size in bytes, from 0 to 2^62 - 1
   */
  record Resize(long sizeBytes) implements RangeChange {}
}
