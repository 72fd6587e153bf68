package corfu.silver.writeback;

import corfu.silver.Caller;
import java.nio.ByteBuffer;

/** Bytes that become one entry of the log. Nobody changes them any more. */
sealed interface Chunk {

  /** Returns the chunk's number among those of its file. Later chunks have larger numbers. */
  long number();

  /** Returns the bytes, from the buffer's position to its limit. */
  ByteBuffer bytes();

  /** Returns the user and the time of the newest write in it. */
  Caller author();

  /** Returns the memory that it takes. */
  default long cost() {
    return (long) bytes().capacity() + DirtyRanges.RANGE_COST;
  }

  /** Bytes at an offset. */
  record Range(long number, long offset, ByteBuffer bytes, Caller author) implements Chunk {

    long end() {
      return offset + bytes.remaining();
    }
  }

  /** Bytes behind the last one, wherever that is when the log orders them. */
  record Tail(long number, ByteBuffer bytes, Caller author) implements Chunk {}
}
