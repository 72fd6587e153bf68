package corfu.disk.internal.cache;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The blocks that the disks of one server have read lately, outside the heap. Its memory grows with
 * its content, up to a bound. Thread-safe; no call blocks for longer than a copy.
 *
 * <p>Neighbours, 64 at a time, are in one of {@link #STRIPES} parts. If it is full, a block that
 * was not read lately gives way.
 */
public final class BlockCache {

  /** The size of a block in bytes. */
  public static final int BLOCK_BYTES = BlockKeys.BLOCK_BYTES;

  static final int STRIPES = 16;

  private static final long MOST_BLOCKS_OF_A_STRIPE = 1L << 28;

  private static final Logger LOG = LoggerFactory.getLogger(BlockCache.class);

  private final CacheStripe[] stripes = new CacheStripe[STRIPES];
  private final AtomicLong numbers = new AtomicLong();
  private final IntFunction<ByteBuffer> memory;
  private final AtomicBoolean isMemoryUsedUp = new AtomicBoolean();

  /**
   * @param bytes the bytes of blocks at most; with 0, nothing is kept
   */
  public BlockCache(long bytes) {
    this(bytes, ByteBuffer::allocateDirect);
  }

  BlockCache(long bytes, IntFunction<ByteBuffer> memory) {
    this.memory = memory;
    long blocks = Math.min(bytes / BLOCK_BYTES / STRIPES, MOST_BLOCKS_OF_A_STRIPE);
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new CacheStripe((int) blocks, this::allocate);
    }
  }

  /** The process may have less memory than the cache may use. Reads must not fail then. */
  private Optional<ByteBuffer> allocate(int bytes) {
    if (isMemoryUsedUp.get()) {
      return Optional.empty();
    }
    try {
      return Optional.of(memory.apply(bytes));
    } catch (OutOfMemoryError none) {
      if (isMemoryUsedUp.compareAndSet(false, true)) {
        LOG.warn("The cache of blocks does not grow any more: {}", none.getMessage());
      }
      return Optional.empty();
    }
  }

  /** Returns the part of a disk that has just been opened. */
  public DiskBlocks open() {
    return new DiskBlocks(this);
  }

  /** Returns a number under which nothing is kept yet, or -1 when all have been used. */
  long unusedNumber() {
    long number = numbers.getAndUpdate(next -> Math.min(next + 1, BlockKeys.MOST_NUMBERS));
    return number < BlockKeys.MOST_NUMBERS ? number : -1;
  }

  /**
   * Returns the part of the cache in which the group of a key is. Groups that follow each other are
   * spread evenly, and so are those at distances of a power of two.
   */
  CacheStripe stripe(long key) {
    long group = key / BlockKeys.GROUP_BLOCKS;
    long folded = group ^ group >>> 4 ^ group >>> 8 ^ group >>> 16 ^ group >>> 32;
    return stripes[(int) folded & (STRIPES - 1)];
  }
}
