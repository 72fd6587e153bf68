package corfu.protocol.layout;

import corfu.protocol.Endpoint;
import corfu.protocol.StreamId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The chains of a segment: by log address, and, where streams have replicas of their own, by stream
 * as well (vCorfu, section 3.1; dissertation, figure 4.4). A stream replica is a log unit like any
 * other, which keeps the entries of its streams by their log addresses.
 *
 * @param log a chain for each stripe of addresses, one or more. Where streams have replicas of
 *     their own it may be {@linkplain Chain#isLost lost}
 * @param stream a chain for each stripe of streams; empty where streams have no replicas of their
 *     own. No unit is in both lists, so that the copies of an entry are on different units.
 */
public record Arrangement(List<Chain> log, List<Chain> stream) {

  public Arrangement {
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

  /** One in which streams have no replicas of their own. */
  public Arrangement(List<Chain> log) {
    this(log, List.of());
  }

  /**
   * As many units as are given, in rings: the first ones hold the log, the others streams.
   *
   * @param units one or more
   */
  static Arrangement rings(List<Endpoint> units, Wanted wanted) {
    int logs = units.size() - wanted.streamUnits(units.size());
    return new Arrangement(
        ring(units.subList(0, logs), wanted.replicas()),
        ring(units.subList(logs, units.size()), wanted.streamReplicas()));
  }

  /** Chains of so many replicas, or as many as there are units; none over no units. */
  static List<Chain> ring(List<Endpoint> units, int replicas) {
    return Layout.ring(units, Math.min(replicas, units.size()));
  }

  /** Whether some log chain has nobody left, so that stream replicas have the only copies. */
  public boolean isAnyLost() {
    return log.stream().anyMatch(Chain::isLost);
  }

  /** Whether streams have replicas of their own. */
  public boolean hasStreams() {
    return !stream.isEmpty();
  }

  /**
   * Who keeps the stream's entries. Streams are spread by their hash; what is in no stream ({@link
   * StreamId#NONE}) by its address (docs/design.md, section 4, R4), whatever segment that lies in:
   * so chains of streams stay the same where segments are divided and merged.
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

  /** The units of the log chains, each once: heads first, in the order of their stripes. */
  public List<Endpoint> logUnits() {
    return unitsOf(log);
  }

  /** The units of the stream chains, each once: heads first, in the order of their stripes. */
  public List<Endpoint> streamUnits() {
    return unitsOf(stream);
  }

  /** All units, each once. */
  public Set<Endpoint> units() {
    Set<Endpoint> units = new LinkedHashSet<>(logUnits());
    units.addAll(streamUnits());
    return units;
  }

  /** For a ring this is the order in which it was made. */
  static List<Endpoint> unitsOf(List<Chain> chains) {
    Set<Endpoint> units = new LinkedHashSet<>();
    chains.forEach(chain -> chain.replicas().stream().limit(1).forEach(units::add));
    chains.forEach(chain -> units.addAll(chain.replicas()));
    return List.copyOf(units);
  }

  /**
   * What is left without these. The log has all that stream replicas have, and the other way round:
   * so if a stream chain has nobody left, there are no stream chains from then on; if a log chain
   * has nobody left, it is lost. Where both is so, and what is left does not hold everything, all
   * that has nobody left stays as it is: its units may come back.
   */
  Arrangement without(Set<Endpoint> gone) {
    List<Chain> logLeft = log.stream().map(chain -> chain.without(gone)).toList();
    List<Chain> streamLeft = stream.stream().map(chain -> chain.without(gone)).toList();
    if (hasStreams() && streamLeft.stream().noneMatch(Chain::isLost)) {
      return new Arrangement(logLeft, streamLeft);
    }
    return logLeft.stream().noneMatch(Chain::isLost)
        ? new Arrangement(logLeft)
        : new Arrangement(kept(log, logLeft), kept(stream, streamLeft));
  }

  private static List<Chain> kept(List<Chain> chains, List<Chain> left) {
    List<Chain> kept = new ArrayList<>();
    for (int i = 0; i < chains.size(); i++) {
      kept.add(left.get(i).isLost() ? chains.get(i) : left.get(i));
    }
    return kept;
  }

  /** The same, for a segment that starts elsewhere: every address keeps its chain. */
  Arrangement turned(long start, long newStart) {
    return new Arrangement(turned(log, start, newStart), stream);
  }

  /** The same chains, turned so that a segment that starts there gives every address its chain. */
  static List<Chain> turned(List<Chain> chains, long start, long newStart) {
    List<Chain> turned = new ArrayList<>(chains.size());
    for (int i = 0; i < chains.size(); i++) {
      turned.add(chains.get((int) Math.floorMod(newStart - start + i, (long) chains.size())));
    }
    return turned;
  }

  /** Whether every stripe has the same units, in whatever order they serve. */
  boolean hasSameUnits(Arrangement other) {
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
