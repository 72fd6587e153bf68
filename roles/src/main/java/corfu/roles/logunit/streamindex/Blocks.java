package corfu.roles.logunit.streamindex;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Memory outside the heap in blocks of 64, 128 and so on up to 1,024 bytes, each with a 32-bit
 * name. It is allocated in pages of 64 KiB, each divided into blocks of one size. An empty page is
 * freed if there are many, or is divided anew. The initial content of an allocated block is
 * undefined. Not thread-safe, but not tied to the thread that created it either.
 */
public final class Blocks implements AutoCloseable {

  /** The name of no block. */
  public static final int NONE = 0;

  static final int SMALLEST_BYTES = 64;
  static final int LARGEST_BYTES = 1024;

  private static final int PAGE_BYTES = 64 << 10;
  private static final int UNIT_SHIFT = Integer.numberOfTrailingZeros(SMALLEST_BYTES);

  /** The number of low bits of a name that do not name the page. */
  static final int PAGE_SHIFT = Integer.numberOfTrailingZeros(PAGE_BYTES) - UNIT_SHIFT;

  private static final int UNIT_MASK = (1 << PAGE_SHIFT) - 1;
  private static final int SIZES =
      Integer.numberOfTrailingZeros(LARGEST_BYTES / SMALLEST_BYTES) + 1;

  /** Empty pages are retained up to this number, or up to a quarter of all pages. */
  private static final int PAGES_KEPT = 4;

  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Supplier<Arena> arenas;
  private @Nullable Page[] pages = new @Nullable Page[16]; // from 1 on
  private int highestPage;
  private int pageCount;
  private final ArrayDeque<Integer> unusedNumbers = new ArrayDeque<>();
  private final ArrayDeque<Page> empty = new ArrayDeque<>();

  /** Pages with room, by block size. May contain a page whose use has changed since. */
  private final List<ArrayDeque<Page>> roomy = new ArrayList<>();

  private boolean closed;

  private static final class Page {
    final int number;
    final Arena arena;
    final MemorySegment memory;
    int blockBytes; // 0 if the page is not divided
    int used;
    int fresh; // no block from this byte on has been allocated yet
    int firstFree = -1; // unit of a freed block, which holds the next one

    Page(int number, Arena arena) {
      this.number = number;
      this.arena = arena;
      this.memory = arena.allocate(PAGE_BYTES, SMALLEST_BYTES);
    }

    boolean isFull() {
      return firstFree < 0 && fresh + blockBytes > PAGE_BYTES;
    }
  }

  public Blocks(Supplier<Arena> arenas) {
    this.arenas = arenas;
    for (int i = 0; i < SIZES; i++) {
      roomy.add(new ArrayDeque<>());
    }
  }

  /** Allocates a block of this many bytes, which must be one of the sizes. */
  public int allocate(int bytes) {
    ArrayDeque<Page> candidates = roomy.get(sizeNumber(bytes));
    Page page = candidates.peekLast();
    while (page != null && page.blockBytes != bytes) {
      candidates.removeLast();
      page = candidates.peekLast();
    }
    if (page == null) {
      page = emptyPage();
      page.blockBytes = bytes;
      candidates.addLast(page);
    }
    int unit;
    if (page.firstFree >= 0) {
      unit = page.firstFree;
      page.firstFree = page.memory.get(INT, (long) unit << UNIT_SHIFT);
    } else {
      unit = page.fresh >>> UNIT_SHIFT;
      page.fresh += bytes;
    }
    page.used++;
    if (page.isFull()) {
      candidates.removeLast();
    }
    return page.number << PAGE_SHIFT | unit;
  }

  private static int sizeNumber(int bytes) {
    return Integer.numberOfTrailingZeros(bytes) - UNIT_SHIFT;
  }

  private Page emptyPage() {
    Page page = empty.pollLast();
    if (page != null) {
      return page;
    }
    if (closed) {
      throw new IllegalStateException("these blocks have been closed");
    }
    Integer number = unusedNumbers.pollLast();
    if (number == null) {
      number = ++highestPage;
      if (number == pages.length) {
        pages = Arrays.copyOf(pages, pages.length * 2);
      }
    }
    page = new Page(number, arenas.get());
    pages[number] = page;
    pageCount++;
    return page;
  }

  void free(int block) {
    Page page = page(block);
    boolean wasFull = page.isFull();
    int unit = block & UNIT_MASK;
    page.memory.set(INT, (long) unit << UNIT_SHIFT, page.firstFree);
    page.firstFree = unit;
    page.used--;
    if (page.used == 0) {
      emptied(page);
    } else if (wasFull) {
      roomy.get(sizeNumber(page.blockBytes)).addLast(page);
    }
  }

  private void emptied(Page page) {
    page.blockBytes = 0;
    page.fresh = 0;
    page.firstFree = -1;
    if (empty.size() < Math.max(PAGES_KEPT, pageCount / 4)) {
      empty.addLast(page);
    } else {
      page.arena.close();
      pages[page.number] = null;
      unusedNumbers.addLast(page.number);
      pageCount--;
    }
  }

  private Page page(int block) {
    return Objects.requireNonNull(pages[block >>> PAGE_SHIFT], "a block that is in use has a page");
  }

  private static long offset(int block, int at) {
    return ((long) (block & UNIT_MASK) << UNIT_SHIFT) + at;
  }

  public int sizeOf(int block) {
    return page(block).blockBytes;
  }

  public long getLong(int block, int at) {
    return page(block).memory.get(LONG, offset(block, at));
  }

  public void putLong(int block, int at, long value) {
    page(block).memory.set(LONG, offset(block, at), value);
  }

  public int getInt(int block, int at) {
    return page(block).memory.get(INT, offset(block, at));
  }

  public void putInt(int block, int at, int value) {
    page(block).memory.set(INT, offset(block, at), value);
  }

  byte getByte(int block, int at) {
    return page(block).memory.get(ValueLayout.JAVA_BYTE, offset(block, at));
  }

  void putByte(int block, int at, byte value) {
    page(block).memory.set(ValueLayout.JAVA_BYTE, offset(block, at), value);
  }

  /** Copies the first bytes of a block to another block. */
  public void copy(int from, int to, int bytes) {
    MemorySegment.copy(page(from).memory, offset(from, 0), page(to).memory, offset(to, 0), bytes);
  }

  /** Returns the memory outside the heap in bytes. */
  public long memoryBytes() {
    return (long) pageCount * PAGE_BYTES;
  }

  /** Frees all memory; no block can be allocated any more. */
  @Override
  public void close() {
    closed = true;
    for (Page page : pages) {
      if (page != null) {
        page.arena.close();
      }
    }
    Arrays.fill(pages, null);
    empty.clear();
    roomy.forEach(ArrayDeque::clear);
    pageCount = 0;
  }
}
