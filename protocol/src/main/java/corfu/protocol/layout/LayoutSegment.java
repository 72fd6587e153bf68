package corfu.protocol.layout;

import corfu.protocol.AddressSet;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.StreamId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A range of log addresses with one replication arrangement. Address {@code a} belongs to stripe
 * {@code (a - start) mod stripes}.
 *
 * @param start the first address
 * @param end the first address behind the segment; {@link #OPEN} for the last segment of a layout
 * @param serving the arrangement that serves
 * @param target the arrangement that the segment will have after its units have copied all missing
 *     entries; empty if nothing is to be copied
 */
public record LayoutSegment(
    long start, long end, ChainLayout serving, Optional<ChainLayout> target) {

  /** The end of a segment that is still open. */
  public static final long OPEN = Long.MAX_VALUE;

  public LayoutSegment {
    if (start < 0 || end <= start) {
      throw new IllegalArgumentException(
          "a segment from " + start + " to " + end + " covers nothing");
    }
    boolean isAnyAimLost = target.isPresent() && target.get().isAnyLost();
    if (isAnyAimLost || (end == OPEN && serving.isAnyLost())) {
      throw new IllegalArgumentException(
          "appends and copies need log chains with replicas, but the segment from "
              + (start + " has " + serving + (isAnyAimLost ? " and shall have " + target : "")));
    }
    if (target.isPresent() && end == OPEN) {
      throw new IllegalArgumentException(
          "only a closed segment has a target, but the open one from "
              + (start + " has " + target.get()));
    }
  }

  /** Creates a segment without a target. */
  public LayoutSegment(long start, long end, ChainLayout serving) {
    this(start, end, serving, Optional.empty());
  }

  /** Creates a segment without a target, in which streams have no replicas of their own. */
  public LayoutSegment(long start, long end, List<Chain> log) {
    this(start, end, new ChainLayout(log));
  }

  /** Returns the same segment with this target, or without a target if empty. */
  public LayoutSegment withTarget(Optional<ChainLayout> aim) {
    return new LayoutSegment(start, end, serving, aim);
  }

  /** Returns the chains by log address, one for each stripe. */
  public List<Chain> log() {
    return serving.log();
  }

  /** Returns the chains by stream, one for each stripe of streams, or an empty list. */
  public List<Chain> stream() {
    return serving.stream();
  }

  public boolean isOpen() {
    return end == OPEN;
  }

  /** Returns whether entries are to be copied. */
  public boolean hasTarget() {
    return target.isPresent();
  }

  public boolean covers(long address) {
    return address >= start && address < end;
  }

  public int stripes() {
    return log().size();
  }

  public int stripeOf(long address) {
    return (int) Math.floorMod(address - start, (long) stripes());
  }

  public Chain chainOf(long address) {
    return chainOf(serving, address);
  }

  private Chain chainOf(ChainLayout arrangement, long address) {
    List<Chain> log = arrangement.log();
    return log.get((int) Math.floorMod(address - start, (long) log.size()));
  }

  /**
   * Returns the chain that holds the stream's entries of this segment; for {@link StreamId#NONE},
   * the chain of the entry at the address.
   *
   * @throws IllegalStateException if streams have no replicas of their own here
   */
  public Chain streamChainOf(StreamId stream, long address) {
    return serving.streamChainOf(stream, address);
  }

  /**
   * Returns the units of the entry's registers, in the order in which they are written
   * (docs/design.md, section 4). These are the replicas of its log chain, then those of its streams
   * in ascending order of their ids, each unit once.
   */
  public List<Endpoint> path(Entry entry) {
    return path(serving, entry);
  }

  private List<Endpoint> path(ChainLayout arrangement, Entry entry) {
    List<Endpoint> log = chainOf(arrangement, entry.address()).replicas();
    if (!arrangement.hasStreams()) {
      return log;
    }
    Set<Endpoint> path = new LinkedHashSet<>(log);
    int streams = entry.isHole() ? 0 : entry.streamCount();
    for (int i = 0; i < streams; i++) {
      StreamId stream = entry.stream(i).stream();
      path.addAll(arrangement.streamChainOf(stream, entry.address()).replicas());
    }
    if (streams == 0) {
      path.addAll(arrangement.streamChainOf(StreamId.NONE, entry.address()).replicas());
    }
    return List.copyOf(path);
  }

  /** Returns the units that shall hold the address as log replicas, but do not serve it yet. */
  public List<Endpoint> joiningAt(long address) {
    List<Endpoint> joining = new ArrayList<>();
    target.ifPresent(aim -> joining.addAll(chainOf(aim, address).replicas()));
    joining.removeAll(chainOf(address).replicas());
    return joining;
  }

  /**
   * Returns the units that shall hold the entry, for its address or for its streams, but do not
   * serve it yet.
   */
  public List<Endpoint> joining(Entry entry) {
    List<Endpoint> joining = new ArrayList<>();
    target.ifPresent(aim -> joining.addAll(path(aim, entry)));
    joining.removeAll(path(entry));
    return joining;
  }

  /**
   * Returns the units that may have to hold entries of streams, some of which they do not serve
   * yet.
   */
  public List<Endpoint> joiningForStreams() {
    return joiningStreams().isEmpty() ? List.of() : target.orElseThrow().streamUnits();
  }

  /** Returns the future stream chains, or an empty list if they equal the serving ones. */
  List<Chain> joiningStreams() {
    List<Chain> aim = target.map(ChainLayout::stream).orElse(stream());
    return aim.equals(stream()) ? List.of() : aim;
  }

  /**
   * Returns the units that must learn of a trim of the address, each once: first those that serve
   * it, then the future ones. The streams of the address are unknown, so all stream replicas are
   * included.
   */
  public List<Endpoint> holdersOf(long address) {
    Set<Endpoint> holders = new LinkedHashSet<>(chainOf(address).replicas());
    holders.addAll(serving.streamUnits());
    holders.addAll(joiningAt(address));
    target.ifPresent(aim -> holders.addAll(aim.streamUnits()));
    return List.copyOf(holders);
  }

  /** Returns all units that serve, or shall serve, any of the segment's addresses, each once. */
  public Set<Endpoint> units() {
    Set<Endpoint> units = new LinkedHashSet<>(serving.units());
    target.ifPresent(aim -> units.addAll(aim.units()));
    return units;
  }

  /** Returns the part of {@code [from, to)} that one stripe of this segment holds. */
  public AddressSet.Strided addressesOf(int stripe, long from, long to) {
    long low = Math.max(from, start);
    long high = Math.min(to, end);
    long first = low + Math.floorMod(stripe - (low - start), (long) stripes());
    long count = first >= high ? 0 : (high - 1 - first) / stripes() + 1;
    return new AddressSet.Strided(first, stripes(), Math.toIntExact(count));
  }
}
