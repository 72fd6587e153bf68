package corfu.protocol.layout;

import corfu.protocol.Endpoint;
import corfu.protocol.StreamId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The chains of a segment: by log address and, if streams have replicas of their own, also by
 * stream (vCorfu, section 3.1; dissertation, figure 4.4). A stream replica is an ordinary log unit
 * that stores the entries of its streams by their log addresses.
 *
 * @param log a chain for each stripe of addresses, one or more. If streams have replicas of their
 *     own, a log chain may be {@linkplain Chain#isLost lost}
 * @param stream a chain for each stripe of streams; empty if streams have no replicas of their own.
 *     No unit is in both lists, so that the copies of an entry are on different units.
 */
public record ChainLayout(List<Chain> log, List<Chain> stream) {

  public ChainLayout {
    log = List.copyOf(log);
    stream = List.copyOf(stream);
    if (log.isEmpty()) {
      throw new IllegalArgumentException("an arrangement has at least one chain of log replicas");
    }
    if (stream.stream().anyMatch(Chain::isLost)
        || (stream.isEmpty() && log.stream().anyMatch(Chain::isLost))) {
      throw new IllegalArgumentException(
          "a log chain without replicas needs stream chains, and these have some, but these are the"
              + (" log chains: " + log + ", and these the stream chains: " + stream));
    }
    if (!Collections.disjoint(unitsOf(log), unitsOf(stream))) {
      throw new IllegalArgumentException(
          "log replicas and stream replicas are different units, but these are the log chains: "
              + (log + ", and these the stream chains: " + stream));
    }
  }

  /** Creates an arrangement in which streams have no replicas of their own. */
  public ChainLayout(List<Chain> log) {
    this(log, List.of());
  }

  /**
   * Returns rings over all given units: the first units hold the log, the others hold streams.
   *
   * @param units one or more log units
   */
  static ChainLayout rings(List<Endpoint> units, Wanted wanted) {
    int logs = units.size() - wanted.streamUnits(units.size());
    return new ChainLayout(
        ring(units.subList(0, logs), wanted.replicas()),
        ring(units.subList(logs, units.size()), wanted.streamReplicas()));
  }

  /**
   * Returns chains of this many replicas, or of as many as there are units; no chains for no units.
   */
  static List<Chain> ring(List<Endpoint> units, int replicas) {
    return Layout.ring(units, Math.min(replicas, units.size()));
  }

  /**
   * Returns whether some log chain has no replica left. Then stream replicas have the only copies.
   */
  public boolean isAnyLost() {
    return log.stream().anyMatch(Chain::isLost);
  }

  /** Returns whether streams have replicas of their own. */
  public boolean hasStreams() {
    return !stream.isEmpty();
  }

  /**
   * Returns the chain that holds the stream's entries. Streams are spread by their hash. Entries of
   * no stream ({@link StreamId#NONE}) are spread by their address, independent of its segment
   * (docs/design.md, section 4, R4). Therefore stream chains stay the same when segments are
   * divided and merged.
   *
   * @throws IllegalStateException if streams have no replicas of their own
   */
  public Chain streamChainOf(StreamId id, long address) {
    if (stream.isEmpty()) {
      throw new IllegalStateException("streams have no replicas of their own in " + this);
    }
    long place = id.equals(StreamId.NONE) ? address : id.hash();
    return stream.get((int) Math.floorMod(place, (long) stream.size()));
  }

  /** Returns the units of the log chains, each once: heads first, in the order of their stripes. */
  public List<Endpoint> logUnits() {
    return unitsOf(log);
  }

  /**
   * Returns the units of the stream chains, each once: heads first, in the order of their stripes.
   */
  public List<Endpoint> streamUnits() {
    return unitsOf(stream);
  }

  /** Returns all units, each once. */
  public Set<Endpoint> units() {
    Set<Endpoint> units = new LinkedHashSet<>(logUnits());
    units.addAll(streamUnits());
    return units;
  }

  /**
   * Returns the chains' units, each once: heads first, in the order of their stripes. For a ring
   * this is the order in which it was made.
   */
  static List<Endpoint> unitsOf(List<Chain> chains) {
    Set<Endpoint> units = new LinkedHashSet<>();
    chains.forEach(chain -> chain.replicas().stream().limit(1).forEach(units::add));
    chains.forEach(chain -> units.addAll(chain.replicas()));
    return List.copyOf(units);
  }

  /**
   * Returns the arrangement without these units. Log replicas hold all that stream replicas hold,
   * and the reverse. Therefore: if a stream chain has no unit left, the result has no stream
   * chains; if a log chain has no unit left, it is lost. If both happen and the rest does not hold
   * everything, every chain without remaining units stays as it is: its units may return.
   */
  ChainLayout without(Set<Endpoint> gone) {
    List<Chain> logLeft = log.stream().map(chain -> chain.without(gone)).toList();
    List<Chain> streamLeft = stream.stream().map(chain -> chain.without(gone)).toList();
    if (hasStreams() && streamLeft.stream().noneMatch(Chain::isLost)) {
      return new ChainLayout(logLeft, streamLeft);
    }
    return logLeft.stream().noneMatch(Chain::isLost)
        ? new ChainLayout(logLeft)
        : new ChainLayout(kept(log, logLeft), kept(stream, streamLeft));
  }

  private static List<Chain> kept(List<Chain> chains, List<Chain> left) {
    List<Chain> kept = new ArrayList<>();
    for (int i = 0; i < chains.size(); i++) {
      kept.add(left.get(i).isLost() ? chains.get(i) : left.get(i));
    }
    return kept;
  }

  /**
   * Returns the same arrangement for a segment that starts elsewhere: every address keeps its
   * chain.
   */
  ChainLayout turned(long start, long newStart) {
    return new ChainLayout(turned(log, start, newStart), stream);
  }

  /**
   * Returns the same chains, rotated so that a segment from {@code newStart} on gives every address
   * its old chain.
   */
  static List<Chain> turned(List<Chain> chains, long start, long newStart) {
    List<Chain> turned = new ArrayList<>(chains.size());
    for (int i = 0; i < chains.size(); i++) {
      turned.add(chains.get((int) Math.floorMod(newStart - start + i, (long) chains.size())));
    }
    return turned;
  }

  /** Returns whether every stripe has the same units, in any order. */
  boolean hasSameUnits(ChainLayout other) {
    return hasSameUnits(log, other.log) && hasSameUnits(stream, other.stream);
  }

  private static boolean hasSameUnits(List<Chain> some, List<Chain> others) {
    if (some.size() != others.size()) {
      return false;
    }
    for (int i = 0; i < some.size(); i++) {
      if (!Set.copyOf(some.get(i).replicas()).equals(Set.copyOf(others.get(i).replicas()))) {
        return false;
      }
    }
    return true;
  }
}
