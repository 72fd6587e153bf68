package corfu.protocol.layout;

import corfu.protocol.Endpoint;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Computes the servers whose part of the map changes from one layout to the next. These must be
 * sealed, or leave (CORFU, section 3.2.1; docs/design.md, section 6, step 1).
 */
public final class LayoutDiff {

  /**
   * Segments whose chains repeat only after more addresses than this count as different everywhere.
   */
  private static final long ADDRESSES_MAX = 100_000;

  private LayoutDiff() {}

  /**
   * Returns the units that a change of the layout concerns:
   *
   * <ul>
   *   <li>units of the old layout that hold, or shall hold, an address if its log chain changes,
   *       its future holders change, or it lies before the new layout's first segment;
   *   <li>units that hold streams whose chain changes;
   *   <li>the heads of the new layout's open segment, which tell the tail.
   * </ul>
   */
  public static Set<Endpoint> by(Layout old, Layout next) {
    Set<Endpoint> concerned = new LinkedHashSet<>();
    TreeSet<Long> starts = new TreeSet<>();
    old.segments().forEach(segment -> starts.add(segment.start()));
    next.segments().forEach(segment -> starts.add(segment.start()));
    for (long start : starts) {
      if (next.isBefore(start)) {
        concerned.addAll(old.segmentOf(start).units());
      } else if (!old.isBefore(start)) {
        addChanged(old.segmentOf(start), next.segmentOf(start), start, concerned);
        addChangedStreams(old.segmentOf(start).stream(), next.segmentOf(start).stream(), concerned);
      }
    }
    Set<Endpoint> heads = new HashSet<>();
    next.openSegment().log().forEach(chain -> heads.add(chain.head()));
    heads.retainAll(old.logUnits());
    concerned.addAll(heads);
    return concerned;
  }

  /**
   * Returns the concerned units that lose an address: they hold, or shall hold, an address that the
   * new layout does not give them. Such a unit does not notice what others do to the address, so it
   * must answer no more reads of it. The other concerned units may answer reads. If streams have
   * replicas of their own, all units of the segment count as losing.
   *
   * @param tail the address from which on no unit of the old layout holds anything
   */
  public static Set<Endpoint> losing(Layout old, Layout next, long tail) {
    Set<Endpoint> losing = new LinkedHashSet<>();
    TreeSet<Long> starts = new TreeSet<>();
    old.segments().forEach(segment -> starts.add(segment.start()));
    next.segments().forEach(segment -> starts.add(segment.start()));
    for (long start : starts.headSet(tail)) {
      if (next.isBefore(start)) {
        losing.addAll(old.segmentOf(start).units());
      } else if (!old.isBefore(start) && hasStreams(old.segmentOf(start), next.segmentOf(start))) {
        losing.addAll(old.segmentOf(start).units());
      } else if (!old.isBefore(start)) {
        addLosing(old.segmentOf(start), next.segmentOf(start), start, tail, losing);
      }
    }
    return losing;
  }

  private static boolean hasStreams(LayoutSegment old, LayoutSegment next) {
    return Stream.of(old, next)
        .flatMap(segment -> Stream.concat(Stream.of(segment.serving()), segment.target().stream()))
        .anyMatch(arrangement -> !arrangement.streamUnits().isEmpty());
  }

  private static void addLosing(
      LayoutSegment old, LayoutSegment next, long start, long tail, Set<Endpoint> losing) {
    long period = leastCommonMultiple(periodOf(old), periodOf(next));
    boolean isComparable = period <= ADDRESSES_MAX;
    long last = Math.min(tail, start + (isComparable ? period : periodOf(old)));
    for (long address = start; address < last; address++) {
      if (old.covers(address)) {
        List<Endpoint> holders = new ArrayList<>(old.holdersOf(address));
        if (isComparable) {
          holders.removeAll(next.holdersOf(address));
        }
        losing.addAll(holders);
      }
    }
  }

  private static void addChanged(
      LayoutSegment old, LayoutSegment next, long start, Set<Endpoint> changed) {
    long period = leastCommonMultiple(periodOf(old), periodOf(next));
    boolean isComparable =
        period <= ADDRESSES_MAX && old.joiningStreams().equals(next.joiningStreams());
    long last = start + (isComparable ? period : periodOf(old));
    for (long address = start; address < last; address++) {
      boolean isSame =
          isComparable
              && old.chainOf(address).equals(next.chainOf(address))
              && old.joiningAt(address).equals(next.joiningAt(address));
      if (!isSame && old.covers(address)) {
        changed.addAll(old.holdersOf(address));
      }
    }
  }

  /**
   * Adds the replicas of changed stream chains. An entry stays on its log chain whatever happens to
   * its streams' chains. Therefore only the stream replicas are concerned: an in-flight append can
   * no longer arrive through them.
   */
  private static void addChangedStreams(List<Chain> old, List<Chain> next, Set<Endpoint> changed) {
    for (int stripe = 0; stripe < old.size(); stripe++) {
      if (old.size() != next.size() || !old.get(stripe).equals(next.get(stripe))) {
        changed.addAll(old.get(stripe).replicas());
      }
    }
  }

  /** Returns the number of addresses after which the chains repeat. */
  private static long periodOf(LayoutSegment segment) {
    return leastCommonMultiple(
        segment.stripes(), segment.target().map(aim -> aim.log().size()).orElse(1));
  }

  private static long leastCommonMultiple(long a, long b) {
    long x = a;
    long y = b;
    while (y != 0) {
      long rest = x % y;
      x = y;
      y = rest;
    }
    return a / x * b;
  }
}
