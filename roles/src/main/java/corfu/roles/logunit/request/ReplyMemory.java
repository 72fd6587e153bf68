package corfu.roles.logunit.request;

import java.nio.ByteBuffer;
import java.util.function.IntFunction;

/**
 * Memory for entries between the disk and a reply. All replies reuse it. Fresh memory would have to
 * be cleared and would be in no cache, which takes longer than the rest of a read. For the log
 * unit's thread.
 */
final class ReplyMemory implements IntFunction<ByteBuffer> {

  private static final int LEAST_BYTES = 64 << 10;

  /** The largest retained memory. A reply that needs more gets fresh memory. */
  static final int MOST_BYTES = 1 << 20;

  private final IntFunction<ByteBuffer> source;
  private ByteBuffer kept = ByteBuffer.allocate(0);
  private int taken;

  /**
   * @param source allocates memory
   */
  ReplyMemory(IntFunction<ByteBuffer> source) {
    this.source = source;
  }

  /**
   * Starts a reply: all memory used so far can be used again, because the previous reply has left.
   */
  void begin() {
    taken = 0;
  }

  /** Returns this many bytes, which nobody else uses until the next {@link #begin}. */
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
