package corfu.roles.logunit.stream;

import corfu.protocol.AddressSet;
import corfu.protocol.Entry;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutSegment;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The entries that are in all of their registers, as far as this unit has been told
 * (docs/design.md, section 4). Needed only if streams have replicas of their own, because the end
 * of the log chain is then not the last register. In memory only, one bit for each address. Readers
 * find out again about forgotten entries.
 */
public final class Confirmed {

  private static final int WINDOW_SHIFT = 16;
  private static final int WINDOW_WORDS = 1 << WINDOW_SHIFT >> 6;

  /** 32 MiB, for 268 million addresses; beyond them the lowest are forgotten. */
  private static final int MOST_WINDOWS = 1 << 12;

  private final TreeMap<Long, long[]> windows = new TreeMap<>();
  private long lowestWindow; // lower addresses are trimmed: news of them is useless

  public void add(AddressSet addresses) {
    for (int i = 0; i < addresses.count(); i++) {
      long address = addresses.at(i);
      if (address >>> WINDOW_SHIFT < lowestWindow) {
        continue;
      }
      long[] window =
          windows.computeIfAbsent(address >>> WINDOW_SHIFT, number -> new long[WINDOW_WORDS]);
      int bit = (int) address & (1 << WINDOW_SHIFT) - 1;
      window[bit >> 6] |= 1L << bit;
    }
    while (windows.size() > MOST_WINDOWS) {
      windows.pollFirstEntry();
    }
  }

  boolean contains(long address) {
    long[] window = windows.get(address >>> WINDOW_SHIFT);
    int bit = (int) address & (1 << WINDOW_SHIFT) - 1;
    return window != null && (window[bit >> 6] & 1L << bit) != 0;
  }

  /** Removes addresses for which nobody will ask. */
  public void removeBelow(long address) {
    lowestWindow = Math.max(lowestWindow, address >>> WINDOW_SHIFT);
    windows.headMap(lowestWindow).clear();
  }

  public void clear() {
    windows.clear();
    lowestWindow = 0;
  }

  /** Returns the memory in bytes. */
  long bytes() {
    return (long) windows.size() * WINDOW_WORDS * Long.BYTES;
  }

  /** Marks the entries of a read's reply under this layout that are not known to be complete. */
  public LogUnitReply.Reads mark(LogUnitReply.Reads reads, Optional<Layout> layout) {
    if (layout.isEmpty() || layout.get().segments().stream().allMatch(Confirmed::isPlain)) {
      return reads;
    }
    List<ReadOutcome> marked = new ArrayList<>(reads.outcomes().size());
    for (ReadOutcome outcome : reads.outcomes()) {
      marked.add(
          outcome instanceof ReadOutcome.Found(Entry entry)
                  && isUnconfirmed(entry.address(), layout.get())
              ? new ReadOutcome.Unconfirmed(entry)
              : outcome);
    }
    return new LogUnitReply.Reads(marked);
  }

  /** Returns whether an entry at this address is not known to be complete under this layout. */
  public boolean isUnconfirmed(long address, Layout layout) {
    return !layout.isBefore(address) && !isPlain(layout.segmentOf(address)) && !contains(address);
  }

  private static boolean isPlain(LayoutSegment segment) {
    return segment.stream().isEmpty();
  }
}
