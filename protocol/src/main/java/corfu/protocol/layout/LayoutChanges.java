package corfu.protocol.layout;

import corfu.protocol.Endpoint;
import corfu.protocol.Incarnation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Operators' wishes. Each is a pure function from a layout to another layout of the same epoch; it
 * returns the same layout if the wish is already granted. So an operator whose change was overtaken
 * by another one can repeat the wish safely.
 */
public final class LayoutChanges {

  private LayoutChanges() {}

  /** Spreads appends over this many log units, or more. */
  public static Layout withUnits(Layout layout, int units) {
    int most = Math.max(units, layout.wanted().units());
    return Plan.withWanted(layout, layout.wanted().withUnits(most));
  }

  /**
   * Drains a log unit: it leaves when others hold its data. If no unit can replace it, the wanted
   * number of units for appends drops by one.
   *
   * @param living the layout's log units that work, spares included
   * @throws WishRefusedException if too few units would be left for the wanted copies
   */
  public static Layout withoutUnit(Layout layout, Endpoint unit, Set<Endpoint> living) {
    if (!isMember(layout, unit) || isRetiring(layout, unit)) {
      return layout;
    }
    Layout wished = Plan.withRetiring(layout, unit);
    Wanted wanted = layout.wanted();
    Set<Endpoint> open = new HashSet<>(layout.openSegment().units());
    open.remove(unit);
    if (open.size() >= wanted.units()) {
      return wished;
    }
    Set<Endpoint> left = new HashSet<>(living);
    left.removeIf(other -> other.equals(unit) || isRetiring(layout, other));
    if (left.size() < wanted.copies()) {
      throw new WishRefusedException(
          "without the log unit at "
              + unit
              + " only "
              + left.size()
              + " would be left, which is too few for "
              + wanted.copies()
              + " copies of every entry; add another one first");
    }
    return left.size() >= wanted.units()
        ? wished
        : Plan.withWanted(wished, wanted.withUnits(wanted.units() - 1));
  }

  /** Adds a sequencer that stands by. */
  public static Layout withSequencer(Layout layout, Endpoint server) {
    if (layout.sequencers().contains(server)) {
      return layout;
    }
    List<Endpoint> more = new ArrayList<>(layout.sequencers());
    more.add(server);
    return with(layout, more, layout.acceptors());
  }

  /**
   * Makes a server of the layout a standby sequencer, too. A layout without sequencers stays
   * unchanged: it wants none.
   */
  public static Layout withStandby(Layout layout, Endpoint server) {
    return layout.sequencers().isEmpty() ? layout : withSequencer(layout, server);
  }

  /** Removes a server that would only stand by as a sequencer, if two candidates remain. */
  public static Layout withoutStandby(Layout layout, Endpoint server) {
    List<Endpoint> candidates = layout.sequencers();
    boolean isNeeded =
        layout.layoutServers().contains(server)
            || (isMember(layout, server) && !isRetiring(layout, server));
    boolean isSpared =
        candidates.size() > 2
            && candidates.contains(server)
            && !candidates.getFirst().equals(server);
    return isSpared && !isNeeded ? withoutSequencer(layout, server) : layout;
  }

  /**
   * Removes a sequencer. If it is the serving one, the next one serves.
   *
   * @throws WishRefusedException if it is the only one
   */
  public static Layout withoutSequencer(Layout layout, Endpoint server) {
    if (!layout.sequencers().contains(server)) {
      return layout;
    }
    List<Endpoint> less = new ArrayList<>(layout.sequencers());
    less.remove(server);
    if (less.isEmpty()) {
      throw new WishRefusedException(
          "the sequencer at " + server + " is the only one; add another one first");
    }
    return with(layout, less, layout.acceptors());
  }

  /**
   * Adds a layout server. The others decide the layout that names its disk without it. After it has
   * learned that layout, it votes on the following epochs.
   *
   * @param incarnation the life of its disk, as the server reports it
   */
  public static Layout withLayoutServer(Layout layout, Endpoint server, Incarnation incarnation) {
    if (layout.layoutServers().contains(server)) {
      return layout;
    }
    List<Member> more = new ArrayList<>(layout.acceptors());
    more.add(new Member(server, incarnation));
    return with(layout, layout.sequencers(), more);
  }

  /**
   * Removes a layout server. It still votes for the layout that drops it.
   *
   * @throws WishRefusedException if it is the only one
   */
  public static Layout withoutLayoutServer(Layout layout, Endpoint server) {
    if (!layout.layoutServers().contains(server)) {
      return layout;
    }
    List<Member> less = new ArrayList<>(layout.acceptors());
    less.removeIf(member -> member.endpoint().equals(server));
    if (less.isEmpty()) {
      throw new WishRefusedException(
          "the layout server at " + server + " is the only one; add another one first");
    }
    return with(layout, layout.sequencers(), less);
  }

  /**
   * Removes a server that does not return.
   *
   * @param living the layout's log units that work, spares included
   * @throws WishRefusedException if no living unit has another copy of something that the server
   *     holds, or if a role cannot do without it
   */
  public static Layout without(Layout layout, Endpoint server, Set<Endpoint> living) {
    Set<Endpoint> others = new LinkedHashSet<>(living);
    others.remove(server);
    for (LayoutSegment segment : layout.segments()) {
      if (isNeeded(segment, server, others)) {
        throw new WishRefusedException(
            "nobody else who lives has what the log unit at "
                + server
                + " holds of the addresses from "
                + segment.start()
                + " on; start it again, or trim them");
      }
    }
    return withoutUnit(
        withoutLayoutServer(withoutSequencer(layout, server), server), server, living);
  }

  /**
   * Returns whether none of the others has a copy of some entry, neither for the log nor for
   * streams.
   */
  private static boolean isNeeded(LayoutSegment segment, Endpoint server, Set<Endpoint> others) {
    boolean isInStreams =
        segment.serving().hasStreams()
            && segment.stream().stream().allMatch(chain -> isAnyOf(chain, others));
    boolean isLastOfStreams =
        segment.serving().isAnyLost() && isLastOf(segment.stream(), server, others);
    return isLastOfStreams || (!isInStreams && isLastOf(segment.log(), server, others));
  }

  /**
   * Returns whether none of the others holds a part that the server holds as a member of these
   * chains.
   */
  private static boolean isLastOf(List<Chain> chains, Endpoint server, Set<Endpoint> others) {
    return chains.stream()
        .anyMatch(chain -> chain.replicas().contains(server) && !isAnyOf(chain, others));
  }

  private static boolean isAnyOf(Chain chain, Set<Endpoint> units) {
    return chain.replicas().stream().anyMatch(units::contains);
  }

  private static boolean isMember(Layout layout, Endpoint unit) {
    return layout.units().stream().anyMatch(member -> member.endpoint().equals(unit));
  }

  private static boolean isRetiring(Layout layout, Endpoint unit) {
    return layout.units().stream()
        .anyMatch(member -> member.endpoint().equals(unit) && member.retiring());
  }

  private static Layout with(Layout layout, List<Endpoint> sequencers, List<Member> acceptors) {
    return new Layout(
        layout.clusterId(),
        layout.epoch(),
        layout.wanted(),
        sequencers,
        acceptors,
        layout.units(),
        layout.segments(),
        layout.origin());
  }
}
