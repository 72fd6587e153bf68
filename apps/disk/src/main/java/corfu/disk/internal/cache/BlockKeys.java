package corfu.disk.internal.cache;

/**
 * The keys of blocks in the cache: the number under which a disk keeps its blocks, and the number
 * of the block on the disk.
 */
final class BlockKeys {

  /** The size of a block in bytes. */
  static final int BLOCK_BYTES = 4_096;

  /** The number of blocks that are always in the same part, so that one lock serves them. */
  static final int GROUP_BLOCKS = 64;

  private static final int NUMBER_SHIFT = 38;

  /** A disk has a number below this one. */
  static final long MOST_NUMBERS = 1L << (Long.SIZE - 1 - NUMBER_SHIFT);

  private BlockKeys() {}

  static long key(long number, long block) {
    return number << NUMBER_SHIFT | block;
  }

  static long hash(long key) {
    long mixed = (key ^ (key >>> 32)) * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ (mixed >>> 29)) * 0xBF58476D1CE4E5B9L;
    return mixed ^ (mixed >>> 32);
  }
}
