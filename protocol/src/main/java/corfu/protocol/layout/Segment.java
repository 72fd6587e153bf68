package corfu.protocol.layout;

import corfu.protocol.AddressSet;
import corfu.protocol.Endpoint;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A range of log addresses with one replication arrangement. Address {@code a} belongs to stripe
 * {@code (a - start) mod stripes}.
 *
 * @param start the first address
 * @param end the first address behind the segment; {@link #OPEN} for the last segment of a layout
 * @param log a chain for each stripe, one or more: who serves
 * @param target the chains that the segment will have when everything has been copied that they
 *     miss; empty where nothing is to be copied
 */
public record Segment(long start, long end, List<Chain> log, List<Chain> target) {

  /** The end of a segment that has none yet. */
  public static final long OPEN = Long.MAX_VALUE;

  public Segment {
    log = List.copyOf(log);
    target = List.copyOf(target);
    if (start < 0 || end <= start) {
      throw new IllegalArgumentException(
          "a segment from " + start + " to " + end + " covers nothing");
    }
    if (log.isEmpty()) {
      throw new IllegalArgumentException("the segment from " + start + " has no chain");
    }
    if (!target.isEmpty() && end == OPEN) {
      throw new IllegalArgumentException(
          "only a closed segment has a target, but the open one from " + start + " has " + target);
    }
  }

  /** A segment that is as it shall be. */
  public Segment(long start, long end, List<Chain> log) {
    this(start, end, log, List.of());
  }

  public boolean isOpen() {
    return end == OPEN;
  }

  /** Whether something is to be copied. */
  public boolean hasTarget() {
    return !target.isEmpty();
  }

  public boolean covers(long address) {
    return address >= start && address < end;
  }

  public int stripes() {
    return log.size();
  }

  public int stripeOf(long address) {
    return (int) Math.floorMod(address - start, (long) log.size());
  }

  public Chain chainOf(long address) {
    return log.get(stripeOf(address));
  }

  /** Those that shall hold the address, but do not serve it yet. */
  public List<Endpoint> joiningAt(long address) {
    if (target.isEmpty()) {
      return List.of();
    }
    Chain aim = target.get((int) Math.floorMod(address - start, (long) target.size()));
    List<Endpoint> joining = new ArrayList<>(aim.replicas());
    joining.removeAll(chainOf(address).replicas());
    return joining;
  }

  /** Who must learn that the address is trimmed: first those that serve it, then those to come. */
  public List<Endpoint> holdersOf(long address) {
    List<Endpoint> holders = new ArrayList<>(chainOf(address).replicas());
    holders.addAll(joiningAt(address));
    return holders;
  }

  /** The same chains, turned so that a segment that starts there gives every address its chain. */
  static List<Chain> turned(List<Chain> chains, long start, long newStart) {
    List<Chain> turned = new ArrayList<>(chains.size());
    for (int i = 0; i < chains.size(); i++) {
      turned.add(chains.get((int) Math.floorMod(newStart - start + i, (long) chains.size())));
    }
    return turned;
  }

  /** All units that serve any of its addresses, or shall, each once. */
  public Set<Endpoint> units() {
    Set<Endpoint> units = new LinkedHashSet<>();
    log.forEach(chain -> units.addAll(chain.replicas()));
    target.forEach(chain -> units.addAll(chain.replicas()));
    return units;
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
