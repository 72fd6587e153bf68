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
 * The trimmed addresses that the prefix-trim mark does not cover, as bits: a bit an address where
 * trims are dense, some 150 bytes where one is alone. Each block of 512 addresses is also one
 * record on disk; see {@link Block}.
 */
public final class TrimmedSet {

  public static final int BLOCK_ADDRESSES = 512;
  public static final int BITMAP_BYTES = BLOCK_ADDRESSES / 8;

  private final TreeMap<Long, Block> blocks = new TreeMap<>();
  private long
      end; // behind the highest address: most questions are about addresses that nobody trims

  /**
   * The trimmed addresses among 512 neighbours. Bits that are durable stay set, and every record of
   * a block holds all that were set when it was written. So the newest record says everything, and
   * the older ones are garbage.
   */
  public static final class Block {
    public final long base;
    private final long[] words = new long[BLOCK_ADDRESSES / Long.SIZE];

    /** Where the newest record is; {@link Location#NONE} while there is none. */
    public long location = Location.NONE;

    private Block(long base) {
      this.base = base;
    }

    boolean contains(long address) {
      int bit = (int) (address - base);
      return (words[bit >> 6] & 1L << bit) != 0;
    }

    /** The address behind the block; may be negative for the very last one. */
    public long end() {
      return base + BLOCK_ADDRESSES;
    }

    public ByteBuffer bitmap() {
      ByteBuffer bytes = ByteBuffer.allocate(BITMAP_BYTES).order(ByteOrder.LITTLE_ENDIAN);
      bytes.asLongBuffer().put(words);
      return bytes;
    }

    /** Whether a record with this bitmap adds nothing. */
    public boolean includes(ByteBuffer bitmap) {
      LongBuffer other = bitmap.duplicate().order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
      for (int i = 0; i < words.length; i++) {
        if ((other.get(i) & ~words[i]) != 0) {
          return false;
        }
      }
      return true;
    }

    /** The smallest trimmed address of the block from this one on; -1 if there is none. */
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

  /** The block of an address, if any address in it is trimmed. */
  public @Nullable Block find(long address) {
    return blocks.get(baseOf(address));
  }

  /**
   * Adds an address.
   *
   * @return its block
   */
  public Block add(long address) {
    Block block = blocks.computeIfAbsent(baseOf(address), Block::new);
    int bit = (int) (address - block.base);
    block.words[bit >> 6] |= 1L << bit;
    end = Math.max(end, address + 1);
    return block;
  }

  /** Takes addresses of a block back that were added last, and were never shown. */
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
   * Adds every address of a block's record.
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

  /** Behind the highest trimmed address; 0 if there is none. */
  public long end() {
    return end;
  }

  /** The smallest trimmed address from this one on; -1 if there is none. */
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

  /** How many addresses from {@code from} on and below {@code to} are trimmed. */
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

  /** The highest trimmed address that is not in {@code except}; -1 if there is none. */
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

  /** Forgets the blocks that lie completely below {@code mark}, and returns them. */
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
