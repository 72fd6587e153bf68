package corfu.roles.logunit.index;

import corfu.roles.logunit.pagemap.Location;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The trimmed addresses beyond the prefix-trim mark, as bits: one bit for each address if trims are
 * dense, some 150 bytes for a lone one. Each block of 512 addresses is also one record on disk; see
 * {@link Block}.
 */
public final class TrimmedSet {

  public static final int BLOCK_ADDRESSES = 512;
  public static final int BITMAP_BYTES = BLOCK_ADDRESSES / 8;

  private final TreeMap<Long, Block> blocks = new TreeMap<>();
  private long
      end; // behind the highest address: most queries are for untrimmed addresses behind it

  /**
   * The trimmed addresses among 512 neighbours. Durable bits stay set, and every record of a block
   * contains all bits that were set when it was written. So the newest record has everything, and
   * older records are garbage.
   */
  public static final class Block {
    public final long base;
    private final long[] words = new long[BLOCK_ADDRESSES / Long.SIZE];

    /** The location of the newest record, or {@link Location#NONE} if there is none. */
    public long location = Location.NONE;

    private Block(long base) {
      this.base = base;
    }

    boolean contains(long address) {
      int bit = (int) (address - base);
      return (words[bit >> 6] & 1L << bit) != 0;
    }

    /** Returns the address behind the block; may be negative for the very last block. */
    public long end() {
      return base + BLOCK_ADDRESSES;
    }

    public ByteBuffer bitmap() {
      ByteBuffer bytes = ByteBuffer.allocate(BITMAP_BYTES).order(ByteOrder.LITTLE_ENDIAN);
      bytes.asLongBuffer().put(words);
      return bytes;
    }

    /** Returns whether a record with this bitmap adds nothing. */
    public boolean includes(ByteBuffer bitmap) {
      LongBuffer other = bitmap.duplicate().order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
      for (int i = 0; i < words.length; i++) {
        if ((other.get(i) & ~words[i]) != 0) {
          return false;
        }
      }
      return true;
    }

    /**
     * Returns the smallest trimmed address of the block from this one on, or -1 if there is none.
     */
    public long firstAtOrAfter(long address) {
      if (address - base >= BLOCK_ADDRESSES) {
        return -1;
      }
      int bit = (int) (address - base);
      for (int word = bit >> 6; word < words.length; word++) {
        long rest = word == bit >> 6 ? words[word] & -1L << bit : words[word];
        if (rest != 0) {
          return base + word * 64L + Long.numberOfTrailingZeros(rest);
        }
      }
      return -1;
    }
  }

  public static long baseOf(long address) {
    return address & -BLOCK_ADDRESSES;
  }

  public boolean contains(long address) {
    if (address >= end) {
      return false;
    }
    Block block = blocks.get(baseOf(address));
    return block != null && block.contains(address);
  }

  /** Returns the block of an address, or null if no address of the block is trimmed. */
  public @Nullable Block find(long address) {
    return blocks.get(baseOf(address));
  }

  /**
   * Adds an address.
   *
   * @return the address's block
   */
  public Block add(long address) {
    Block block = blocks.computeIfAbsent(baseOf(address), Block::new);
    int bit = (int) (address - block.base);
    block.words[bit >> 6] |= 1L << bit;
    end = Math.max(end, address + 1);
    return block;
  }

  /** Removes the last added addresses of a block, which were never shown. */
  public void takeBack(Block block, List<Long> addresses) {
    boolean empty = true;
    for (long address : addresses) {
      int bit = (int) (address - block.base);
      block.words[bit >> 6] &= ~(1L << bit);
    }
    for (long word : block.words) {
      empty &= word == 0;
    }
    if (empty) {
      blocks.remove(block.base, block);
    }
  }

  /**
   * Adds all addresses of a block's record.
   *
   * @return the block
   */
  public Block addAll(long base, ByteBuffer bitmap) {
    ByteBuffer bits = bitmap.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < BLOCK_ADDRESSES; i++) {
      if ((bits.get(bits.position() + (i >> 3)) & 1 << (i & 7)) != 0) {
        add(base + i);
      }
    }
    return blocks.computeIfAbsent(base, Block::new);
  }

  /** Returns the address behind the highest trimmed one, or 0 if there is none. */
  public long end() {
    return end;
  }

  /** Returns the smallest trimmed address from this one on, or -1 if there is none. */
  long nextAtOrAfter(long address) {
    if (address >= end) {
      return -1;
    }
    for (Block block : blocks.tailMap(baseOf(address), true).values()) {
      long next = block.firstAtOrAfter(Math.max(address, block.base));
      if (next >= 0) {
        return next;
      }
    }
    return -1;
  }

  /** Returns the number of trimmed addresses from {@code from} on and below {@code to}. */
  long countIn(long from, long to) {
    long count = 0;
    for (Block block : blocks.subMap(baseOf(from), true, to, false).values()) {
      long a = block.firstAtOrAfter(Math.max(from, block.base));
      while (a >= 0 && a < to) {
        count++;
        a = block.firstAtOrAfter(a + 1);
      }
    }
    return count;
  }

  /** Returns the highest trimmed address that is not in {@code except}, or -1 if there is none. */
  public long highestNotIn(TrimmedSet except) {
    for (Block block : blocks.descendingMap().values()) {
      for (long i = BLOCK_ADDRESSES - 1; i >= 0; i--) {
        if (block.contains(block.base + i) && !except.contains(block.base + i)) {
          return block.base + i;
        }
      }
    }
    return -1;
  }

  /** Removes the blocks that lie completely below {@code mark}, and returns them. */
  public List<Block> removeBelow(long mark) {
    List<Block> removed = new ArrayList<>();
    while (!blocks.isEmpty()) {
      Map.Entry<Long, Block> first = blocks.firstEntry();
      if (first.getValue().end() < 0 || first.getValue().end() > mark) {
        break;
      }
      removed.add(first.getValue());
      blocks.pollFirstEntry();
    }
    return removed;
  }

  public Collection<Block> blocks() {
    return blocks.values();
  }
}
