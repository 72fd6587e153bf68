package corfu.protocol.layout;

import corfu.protocol.AddressSet;
import java.util.List;

/**
 * A range of log addresses with one replication arrangement. Address {@code a} belongs to stripe
 * {@code (a - start) mod stripes}.
 *
 * @param start the first address
 * @param end the first address behind the segment; {@link #OPEN} for the last segment of a layout
 * @param log a chain for each stripe, one or more
 */
public record Segment(long start, long end, List<Chain> log) {

  /** The end of a segment that has none yet. */
  public static final long OPEN = Long.MAX_VALUE;

  public Segment {
    log = List.copyOf(log);
    if (start < 0 || end <= start) {
      throw new IllegalArgumentException(
          "a segment from " + start + " to " + end + " covers nothing");
    }
    if (log.isEmpty()) {
      throw new IllegalArgumentException("the segment from " + start + " has no chain");
    }
  }

  public boolean isOpen() {
    return end == OPEN;
  }

  public boolean covers(long address) {
    return address >= start && address < end;
  }

  public int stripes() {
    return log.size();
  }

  public int stripeOf(long address) {
    return (int) ((address - start) % log.size());
  }

  public Chain chainOf(long address) {
    return log.get(stripeOf(address));
  }

  /** The part of {@code [from, to)} that one stripe of this segment holds. */
  public AddressSet.Strided addressesOf(int stripe, long from, long to) {
    long low = Math.max(from, start);
    long high = Math.min(to, end);
    long first = low + Math.floorMod(stripe - (low - start), (long) log.size());
    long count = first >= high ? 0 : (high - 1 - first) / log.size() + 1;
    return new AddressSet.Strided(first, log.size(), Math.toIntExact(count));
  }
}
