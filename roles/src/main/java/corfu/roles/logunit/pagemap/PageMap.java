package corfu.roles.logunit.pagemap;

import java.lang.foreign.Arena;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A map from log addresses to 40-bit values, outside the heap, in about six and a half bytes an
 * entry (SLICE, section 4.4). It tells the location of each address.
 *
 * <p>The endless address space is divided into windows of 65,536 addresses. Each window that is not
 * empty has a {@linkplain CuckooTable cuckoo table} of its own. So a prefix trim frees whole
 * tables. An insertion that needs a larger table moves only one window's entries, in about a
 * millisecond at worst. A table grows by a quarter. A log grows evenly, so a new window starts with
 * the size of its predecessor, as long as that is small beside the map's present memory.
 *
 * <p>A lone entry in its window costs more: some 400 bytes of directory and table. Not thread-safe,
 * but not tied to the thread that created it either.
 */
public final class PageMap implements AutoCloseable {

  /** Values are from 0 to 2^40 - 1. */
  static final int VALUE_BITS = CuckooTable.VALUE_BITS;

  /**
   * The size of a window on the heap, in bytes: its objects, and its nodes in the two directories.
   */
  private static final int DIRECTORY_BYTES_PER_WINDOW = 384;

  /** A new window may get room in advance for one in this many of the existing entries. */
  private static final int ROOM_AHEAD = 6;

  private static final int WINDOW_SHIFT = Integer.numberOfTrailingZeros(Window.ADDRESSES);
  private static final int OFFSET_MASK = Window.ADDRESSES - 1;

  private final Supplier<Arena> arenas;
  private final CuckooTable.Trail trail = new CuckooTable.Trail();
  private final Map<Long, Window> windows = new HashMap<>();
  private final TreeMap<Long, Window> inOrder = new TreeMap<>();
  private long recentNumber = -1; // neighbours follow each other
  private @Nullable Window recent;
  private long size;
  private boolean closed;

  /** Creates an empty map. */
  public PageMap() {
    this(Arena::ofShared);
  }

  /**
   * Creates an empty map.
   *
   * @param arenas returns an arena for the memory of each table
   */
  public PageMap(Supplier<Arena> arenas) {
    this.arenas = arenas;
  }

  /** Returns the value of the address, or -1 if it is absent. */
  public long get(long address) {
    Window window = find(address >>> WINDOW_SHIFT);
    return window == null ? -1 : window.get((int) address & OFFSET_MASK);
  }

  /**
   * Inserts or replaces a value.
   *
   * @throws IllegalArgumentException if the address is negative or the value has more than 40 bits
   */
  public void put(long address, long value) {
    if (address < 0 || value >>> VALUE_BITS != 0) {
      throw new IllegalArgumentException(
          "the page map takes addresses from 0 on and values from 0 to 2^40 - 1, but not "
              + (address + " -> " + value));
    }
    long number = address >>> WINDOW_SHIFT;
    Window window = find(number);
    if (window == null) {
      window = open(number);
    }
    if (window.put((int) address & OFFSET_MASK, value)) {
      size++;
    }
  }

  /** Removes the address. Returns false if it is absent. */
  public boolean remove(long address) {
    long number = address >>> WINDOW_SHIFT;
    Window window = find(number);
    if (window == null || !window.remove((int) address & OFFSET_MASK)) {
      return false;
    }
    size--;
    dropIfEmpty(number, window);
    return true;
  }

  /** Removes all addresses below this one, and frees their memory. */
  public void removeBelow(long address) {
    if (address <= 0) {
      return;
    }
    Long number = address >>> WINDOW_SHIFT;
    Map<Long, Window> below = inOrder.headMap(number);
    for (Map.Entry<Long, Window> entry : below.entrySet()) {
      size -= entry.getValue().size();
      windows.remove(entry.getKey());
      entry.getValue().close();
    }
    below.clear();
    forgetRecent();
    Window cut = windows.get(number);
    if (cut != null) {
      int before = cut.size();
      cut.removeBelow((int) address & OFFSET_MASK);
      size -= before - cut.size();
      dropIfEmpty(number, cut);
    }
  }

  /** Returns the smallest present address from this one on, or -1. Slower than a lookup. */
  public long nextAtOrAfter(long address) {
    long from = Math.max(address, 0);
    long number = from >>> WINDOW_SHIFT;
    for (Map.Entry<Long, Window> entry : inOrder.tailMap(number).entrySet()) {
      int start = entry.getKey() == number ? (int) from & OFFSET_MASK : 0;
      int offset = entry.getValue().nextAtOrAfter(start);
      if (offset >= 0) {
        return entry.getKey() << WINDOW_SHIFT | offset;
      }
    }
    return -1;
  }

  /** Returns the number of present addresses from {@code from} on and below {@code to}. */
  public long countIn(long from, long to) {
    long first = from >>> WINDOW_SHIFT;
    long last = to >>> WINDOW_SHIFT;
    long count = 0;
    for (Map.Entry<Long, Window> entry : inOrder.subMap(first, true, last, true).entrySet()) {
      long number = entry.getKey();
      int start = number == first ? (int) from & OFFSET_MASK : 0;
      int end = number == last ? (int) to & OFFSET_MASK : Window.ADDRESSES;
      count += entry.getValue().countIn(start, end);
    }
    return count;
  }

  /** Visits every entry once, in no particular order. The consumer must not change the map. */
  public void forEach(EntryConsumer consumer) {
    inOrder.forEach(
        (number, window) ->
            window.forEach(
                (offset, value) -> consumer.accept(number << WINDOW_SHIFT | offset, value)));
  }

  /** Returns the number of entries. */
  public long size() {
    return size;
  }

  /** Returns the map's memory in bytes: outside the heap, and in its directory. */
  public long memoryBytes() {
    long bytes = 0;
    for (Window window : windows.values()) {
      bytes += DIRECTORY_BYTES_PER_WINDOW + window.memoryBytes();
    }
    return bytes;
  }

  /** Frees all memory. The map is then empty and accepts no more entries. */
  @Override
  public void close() {
    closed = true;
    windows.values().forEach(Window::close);
    windows.clear();
    forgetRecent();
    inOrder.clear();
    size = 0;
  }

  private @Nullable Window find(long number) {
    if (number != recentNumber) {
      recent = windows.get(number);
      recentNumber = recent == null ? -1 : number;
    }
    return recent;
  }

  private void forgetRecent() {
    recent = null;
    recentNumber = -1;
  }

  private Window open(Long number) {
    if (closed) {
      throw new IllegalStateException("the page map has been closed");
    }
    Window before = windows.get(number - 1);
    int entries = before == null ? 0 : (int) Math.min(before.size(), size / ROOM_AHEAD);
    Window window = new Window(arenas, trail, entries);
    windows.put(number, window);
    inOrder.put(number, window);
    return window;
  }

  private void dropIfEmpty(Long number, Window window) {
    if (window.size() == 0) {
      windows.remove(number);
      inOrder.remove(number);
      forgetRecent();
      window.close();
    }
  }

  /** A consumer of entries, called once for each. */
  interface EntryConsumer {
    void accept(long address, long value);
  }
}
