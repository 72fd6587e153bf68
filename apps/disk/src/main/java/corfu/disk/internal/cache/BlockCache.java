package corfu.disk.internal.cache;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The blocks that the disks of one server have read lately, outside the heap. Its memory grows with
 * its content, up to a bound. Thread-safe; no call blocks for longer than a copy.
 *
 * <p>A block has eight places, which its hash selects. If all are taken, one that was not read
 * since the last search gives way.
 */
public final class BlockCache {

  /** The size of a block in bytes. */
  public static final int BLOCK_BYTES = 4_096;

  static final int STRIPES = 64;

  private static final long MOST_NUMBERS = 1L << (Long.SIZE - 1 - DiskBlocks.NUMBER_SHIFT);

  private final CacheStripe[] stripes = new CacheStripe[STRIPES];
  private final AtomicLong numbers = new AtomicLong();

  /**
   * @param bytes the bytes of blocks at most; with 0, nothing is kept
   */
  public BlockCache(long bytes) {
    long blocks = Math.min(bytes / BLOCK_BYTES / STRIPES, Integer.MAX_VALUE / 2);
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new CacheStripe((int) blocks);
    }
  }

  /** Returns the part of a disk that has just been opened. */
  public DiskBlocks open() {
    return new DiskBlocks(this);
  }

  /** Returns a number under which nothing is kept yet, or -1 when all have been used. */
  long unusedNumber() {
    long number = numbers.getAndUpdate(next -> Math.min(next + 1, MOST_NUMBERS));
    return number < MOST_NUMBERS ? number : -1;
  }

  CacheStripe stripe(long hash) {
    return stripes[(int) (hash & (STRIPES - 1))];
  }
}
