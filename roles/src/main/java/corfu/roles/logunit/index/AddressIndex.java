package corfu.roles.logunit.index;

import corfu.roles.logunit.pagemap.Location;
import corfu.roles.logunit.pagemap.PageMap;
import corfu.roles.logunit.streamindex.StreamIndex;

/**
 * What every address holds: a record, which the page map finds; or it is trimmed, one by one or by
 * the prefix-trim mark; or it is unwritten. And which entries are in which streams. Changes show
 * here when they are accepted, which is before they are durable; {@code Store} keeps them from
 * being answered too early.
 */
public final class AddressIndex implements AutoCloseable {

  /** {@link #find}'s answer where there is nothing yet. */
  public static final long UNWRITTEN = -1;

  /** {@link #find}'s answer where there is nothing any more. */
  public static final long TRIMMED = -2;

  /** So many lookups cost about what a window of the page map costs to be gone through. */
  private static final int PROBES = 4096;

  public final PageMap records = new PageMap();
  public final TrimmedSet trimmed = new TrimmedSet();
  public final StreamIndex streams = new StreamIndex();

  /** What can't be read, though there is a record. */
  public final CorruptEntries corrupt = new CorruptEntries(this);

  /** Everything below is trimmed, which has been accepted. */
  public long mark;

  /** Where the mark's newest record is. */
  public long markLocation = Location.NONE;

  /** Everything below is trimmed, which has been settled. */
  public long settledMark;

  /** Behind the highest address that is settled and not unwritten. */
  public long settledNext;

  /** A {@link Location}, or {@link #UNWRITTEN}, or {@link #TRIMMED}. */
  public long find(long address) {
    if (address < mark) {
      return TRIMMED;
    }
    long location = records.get(address);
    return location >= 0 || !trimmed.contains(address) ? location : TRIMMED;
  }

  /**
   * Where the record is that proves what {@link #find} said; {@link Location#NONE} if no proof is
   * needed.
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
   * The smallest address from this one on that is not unwritten; -1 if there is none. For addresses
   * above the mark.
   */
  public long nextAtOrAfter(long address) {
    long record = nextRecord(address);
    long trim = trimmed.nextAtOrAfter(address);
    return record < 0 || trim < 0 ? Math.max(record, trim) : Math.min(record, trim);
  }

  /** Neighbours are likely, so a few are tried before the map has to search. */
  private long nextRecord(long address) {
    for (long candidate = address; candidate >= 0 && candidate < address + 64; candidate++) {
      if (records.get(candidate) >= 0) {
        return candidate;
      }
    }
    return records.nextAtOrAfter(address);
  }

  /** Whether nothing is unwritten from {@code from} on and below {@code to}. */
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

  /** Whether there is nothing, and never was. */
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
