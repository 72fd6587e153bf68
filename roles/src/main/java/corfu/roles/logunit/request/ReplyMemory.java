package corfu.roles.logunit.request;

import java.nio.ByteBuffer;
import java.util.function.IntFunction;

/**
 * Memory for entries on their way from the disk into a reply: the same for one reply after the
 * other. Fresh memory would have to be cleared and would be in no cache, which takes longer than
 * all the rest of a read. For the log unit's thread.
 */
final class ReplyMemory implements IntFunction<ByteBuffer> {

  private static final int LEAST_BYTES = 64 << 10;

  /** What is kept. A reply may have more: that is fresh. */
  static final int MOST_BYTES = 1 << 20;

  private final IntFunction<ByteBuffer> source;
  private ByteBuffer kept = ByteBuffer.allocate(0);
  private int taken;

  /**
   * @param source gives fresh memory
   */
  ReplyMemory(IntFunction<ByteBuffer> source) {
    this.source = source;
  }

  /** Everything that was taken so far may be taken again: its reply has left. */
  void begin() {
    taken = 0;
  }

  /** So many bytes that nobody else has until the next {@link #begin}. */
  @Override
  public ByteBuffer apply(int bytes) {
    if (bytes > kept.capacity() - taken) {
      if (kept.capacity() == MOST_BYTES || bytes > MOST_BYTES) {
        return ByteBuffer.allocate(bytes);
      }
      int wanted = Math.max(LEAST_BYTES, Math.max(2 * kept.capacity(), bytes));
      kept = source.apply(Math.min(wanted, MOST_BYTES));
      taken = 0;
    }
    ByteBuffer memory = kept.slice(taken, bytes);
    taken += bytes;
    return memory;
  }
}
