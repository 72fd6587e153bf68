package corfu.roles.logunit.index;

import corfu.roles.logunit.pagemap.Location;
import corfu.roles.logunit.pagemap.PageMap;
import corfu.roles.logunit.streamindex.StreamIndex;

/**
 * The content of every address. It has a record, which the page map finds; or it is trimmed, singly
 * or below the prefix-trim mark; or it is unwritten. The index also knows the entries of streams.
 * Changes show here when they are accepted, before they are durable. {@code AddressSpace} prevents
 * answers that would be too early.
 */
public final class AddressIndex implements AutoCloseable {

  /** The result of {@link #find} for an unwritten address. */
  public static final long UNWRITTEN = -1;

  /** The result of {@link #find} for a trimmed address. */
  public static final long TRIMMED = -2;

  /** The number of lookups that cost about as much as a walk through a window of the page map. */
  private static final int PROBES = 4096;

  public final PageMap records = new PageMap();
  public final TrimmedSet trimmed = new TrimmedSet();
  public final StreamIndex streams = new StreamIndex();

  /** The entries that have a record but cannot be read. */
  public final CorruptEntries corrupt = new CorruptEntries(this);

  /** The accepted prefix-trim mark: everything below is trimmed. */
  public long mark;

  /** The location of the mark's newest record. */
  public long markLocation = Location.NONE;

  /** The settled prefix-trim mark: everything below is trimmed. */
  public long settledMark;

  /** The address behind the highest one that is settled and not unwritten. */
  public long settledNext;

  /** Returns a {@link Location}, or {@link #UNWRITTEN}, or {@link #TRIMMED}. */
  public long find(long address) {
    if (address < mark) {
      return TRIMMED;
    }
    long location = records.get(address);
    return location >= 0 || !trimmed.contains(address) ? location : TRIMMED;
  }

  /**
   * Returns the location of the record that proves the result of {@link #find}, or {@link
   * Location#NONE} if no proof is needed.
   */
  public long proofOf(long address, long found) {
    if (found >= 0 || found == UNWRITTEN || address < settledMark) {
      return found >= 0 ? found : Location.NONE;
    }
    if (address < mark) {
      return markLocation;
    }
    TrimmedSet.Block block = trimmed.find(address);
    return block == null ? Location.NONE : block.location;
  }

  /**
   * Returns the smallest address from this one on that is not unwritten, or -1 if there is none.
   * For addresses above the mark.
   */
  public long nextAtOrAfter(long address) {
    long record = nextRecord(address);
    long trim = trimmed.nextAtOrAfter(address);
    return record < 0 || trim < 0 ? Math.max(record, trim) : Math.min(record, trim);
  }

  /**
   * Returns the next address with a record. Tries some neighbours first, because they are likely,
   * before the map searches.
   */
  private long nextRecord(long address) {
    for (long candidate = address; candidate >= 0 && candidate < address + 64; candidate++) {
      if (records.get(candidate) >= 0) {
        return candidate;
      }
    }
    return records.nextAtOrAfter(address);
  }

  /** Returns whether no address from {@code from} on and below {@code to} is unwritten. */
  public boolean holdsAll(long from, long to) {
    if (to - from > PROBES) {
      return records.countIn(from, to) + trimmed.countIn(from, to) == to - from;
    }
    for (long address = to - 1; address >= from; address--) {
      if (find(address) == UNWRITTEN) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether the index is empty and always was. */
  public boolean isBlank() {
    return mark == 0
        && settledNext == 0
        && records.size() == 0
        && trimmed.end() == 0
        && streams.isBlank();
  }

  @Override
  public void close() {
    records.close();
    streams.close();
  }
}
