package corfu.disk.internal.cache;

import static corfu.disk.internal.cache.BlockKeys.BLOCK_BYTES;
import static corfu.disk.internal.cache.BlockKeys.GROUP_BLOCKS;
import static corfu.disk.internal.cache.BlockKeys.key;

import java.nio.ByteBuffer;

/**
 * The blocks of one open disk in the cache of its server. All changes of the disk go through that
 * server, and tell the cache. Thread-safe.
 *
 * <p>A block may be fetched while it changes. So a fetch takes note of the changes before it
 * begins, and {@link Fetch#keep} keeps nothing that has changed since, or changes now.
 */
public final class DiskBlocks {

  /** Longer reads are not looked up, and not kept: a copy would take too long. */
  private static final int MOST_BYTES = 2 << 20;

  /** A change of more bytes is not made block by block: the disk gets a new number. */
  private static final long MOST_CHANGED_BYTES = 32L << 20;

  private static final long GROUP_BYTES = (long) GROUP_BLOCKS * BLOCK_BYTES;

  private final BlockCache cache;
  private final BlockChanges changes = new BlockChanges();
  private volatile long number; // -1 if nothing can be kept

  DiskBlocks(BlockCache cache) {
    this.cache = cache;
    this.number = cache.unusedNumber();
  }

  /**
   * Reads what is here of a range.
   *
   * @param into receives the bytes from its position on, which does not change; its remaining bytes
   *     are the range's length
   * @return the part of the buffer that was not filled, relative to its position
   */
  public Gap read(long offset, ByteBuffer into) {
    long now = number;
    int length = into.remaining();
    Gap gap = new Gap();
    if (length > MOST_BYTES || now < 0) {
      gap.add(0, length);
      return gap;
    }
    ByteBuffer whole = into.slice();
    for (int done = 0; done < length; ) {
      long at = offset + done;
      int part = (int) Math.min(length - done, GROUP_BYTES - at % GROUP_BYTES);
      long key = key(now, at / BLOCK_BYTES);
      cache.stripe(key).read(key, (int) (at % BLOCK_BYTES), whole, done, part, gap);
      done += part;
    }
    return gap;
  }

  /** Begins to fetch a range. */
  public Fetch fetch(long offset, int length) {
    long now = number;
    long first = Math.ceilDiv(offset, BLOCK_BYTES);
    long behind = (offset + length) / BLOCK_BYTES;
    boolean isKept = length <= MOST_BYTES && first < behind && now >= 0;
    long[] before = new long[isKept ? (int) (behind - first) : 0];
    for (int i = 0; i < before.length; i++) {
      before[i] = changes.before(first + i);
    }
    return new Fetch(now, offset, first, before);
  }

  /** A range that is being fetched, with the changes of its whole blocks before that. */
  public final class Fetch {

    private final long numberThen;
    private final long offset;
    private final long firstBlock;
    private final long[] before;

    private Fetch(long numberThen, long offset, long firstBlock, long[] before) {
      this.numberThen = numberThen;
      this.offset = offset;
      this.firstBlock = firstBlock;
      this.before = before;
    }

    /** Keeps the blocks that have not changed since the fetch began. */
    public void keep(ByteBuffer data) {
      for (int done = 0; done < before.length; ) {
        int from = done;
        long block = firstBlock + from;
        int count = blocksOfGroup(block, before.length - from);
        int at = data.position() + (int) (block * BLOCK_BYTES - offset);
        long key = key(numberThen, block);
        cache
            .stripe(key)
            .keep(key, count, i -> changes.isUnchanged(block + i, before[from + i]), data, at);
        done += count;
      }
    }
  }

  /** Returns how many of these blocks are in the group of the first one. */
  private static int blocksOfGroup(long first, long count) {
    return (int) Math.min(count, GROUP_BLOCKS - first % GROUP_BLOCKS);
  }

  /**
   * A change of a range begins. From now on, nothing of it is kept.
   *
   * @return to be called once the change is part of every read that begins, and before the client
   *     hears of it
   */
  public Runnable change(long offset, long length) {
    if (length > MOST_CHANGED_BYTES) {
      return () -> number = cache.unusedNumber();
    }
    long first = offset / BLOCK_BYTES;
    long behind = Math.ceilDiv(offset + length, BLOCK_BYTES);
    for (long block = first; block < behind; block++) {
      changes.begin(block); // first: what is kept later has noticed it
    }
    long now = number;
    for (long block = first; block < behind && now >= 0; ) {
      int count = blocksOfGroup(block, behind - block);
      long key = key(now, block);
      cache.stripe(key).remove(key, count);
      block += count;
    }
    return () -> {
      for (long block = first; block < behind; block++) {
        changes.end(block);
      }
    };
  }
}
