package corfu.protocol.layout;

import corfu.protocol.Endpoint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Chooses the chains of closed segments. Each chain gets the wanted number of replicas and no
 * retiring unit. Otherwise a segment keeps its units, because their data need not be copied. The
 * work is spread evenly over the units of the open segment. For one thread.
 */
final class ReplicaPlacement {

  private final PlanInput circumstances;
  private final OpenChainLayout open;
  private final LayoutSegment last;
  private final Wanted wanted;
  private final Set<Endpoint> leaving;
  private final Map<Endpoint, Integer> given = new HashMap<>();

  /**
   * @param leaving units that shall hold no closed segment any more
   * @param last the next layout's open segment
   */
  ReplicaPlacement(
      PlanInput circumstances,
      OpenChainLayout open,
      Set<Endpoint> leaving,
      LayoutSegment last,
      Wanted wanted) {
    this.circumstances = circumstances;
    this.open = open;
    this.leaving = leaving;
    this.last = last;
    this.wanted = wanted;
  }

  /**
   * Returns the segment with the target that it needs, or without a target if it needs none. A
   * running copy continues, unless a unit of its target is leaving or more replicas are available
   * by now.
   */
  LayoutSegment aimed(LayoutSegment segment) {
    Optional<List<Chain>> rightLog =
        segment.target().map(ChainLayout::log).filter(this::isRightForLog);
    List<Chain> log = rightLog.orElseGet(() -> aimOfLog(segment));
    Set<Endpoint> taken = new LinkedHashSet<>(ChainLayout.unitsOf(log));
    Optional<List<Chain>> rightStream =
        segment.target().map(ChainLayout::stream).filter(aim -> isRightForStreams(aim, taken));
    if (rightLog.isPresent() && rightStream.isPresent()) {
      return segment;
    }
    List<Chain> stream = rightStream.orElseGet(() -> aimOfStreams(segment, taken));
    ChainLayout aim = new ChainLayout(log, stream);
    return segment.withTarget(
        aim.hasSameUnits(segment.serving()) ? Optional.empty() : Optional.of(aim));
  }

  private int logReplicas() {
    return Math.min(wanted.replicas(), open.arrangement().logUnits().size());
  }

  private boolean isRightForLog(List<Chain> aim) {
    for (Chain chain : aim) {
      boolean isEnough = chain.replicas().size() >= logReplicas() || isGone(chain);
      if (!isEnough || isLeft(chain)) {
        return false;
      }
    }
    return true;
  }

  private boolean isLeft(Chain chain) {
    return chain.replicas().stream().anyMatch(leaving::contains);
  }

  /**
   * Returns whether all units of the chain are gone: unless one of them returns, no source for a
   * copy is left.
   */
  boolean isGone(Chain chain) {
    return !chain.isLost() && circumstances.gone().containsAll(chain.replicas());
  }

  private List<Chain> aimOfLog(LayoutSegment segment) {
    List<Chain> before = ChainLayout.turned(last.log(), last.start(), segment.start());
    List<Endpoint> inStreams = segment.serving().streamUnits();
    List<Endpoint> able = new ArrayList<>(open.arrangement().logUnits());
    able.sort(Comparator.comparing(inStreams::contains)); // stream units last: more to copy
    List<Chain> aims = new ArrayList<>();
    for (int stripe = 0; stripe < segment.stripes(); stripe++) {
      Chain serving = segment.log().get(stripe);
      Optional<Chain> same = chainOf(stripe, before, segment.log());
      aims.add(
          isGone(serving)
              ? serving
              : aimOf(serving, leaving, same, able, logReplicas()).orElse(serving));
    }
    return aims;
  }

  private static Optional<Chain> chainOf(int stripe, List<Chain> wanted, List<Chain> serving) {
    return wanted.size() == serving.size() ? Optional.of(wanted.get(stripe)) : Optional.empty();
  }

  /** Returns the chain's target, or empty if it would have no unit. */
  private Optional<Chain> aimOf(
      Chain serving,
      Set<Endpoint> without,
      Optional<Chain> same,
      List<Endpoint> able,
      int replicas) {
    List<Endpoint> aim = new ArrayList<>(serving.replicas());
    aim.removeAll(without);
    if (aim.size() >= replicas && aim.size() == serving.replicas().size()) {
      return Optional.of(serving);
    }
    if (same.isPresent() && same.get().replicas().containsAll(aim)) {
      return same;
    }
    while (aim.size() < replicas) {
      Optional<Endpoint> next = leastBusyOutside(aim, able);
      if (next.isEmpty()) {
        break;
      }
      aim.add(next.get());
    }
    return aim.isEmpty() ? Optional.empty() : Optional.of(new Chain(aim));
  }

  private Optional<Endpoint> leastBusyOutside(List<Endpoint> chain, List<Endpoint> able) {
    Optional<Endpoint> best =
        able.stream()
            .filter(unit -> !chain.contains(unit))
            .min(Comparator.comparingInt(unit -> given.getOrDefault(unit, 0)));
    best.ifPresent(unit -> given.merge(unit, 1, Integer::sum));
    return best;
  }

  /**
   * Returns the units that may get streams of a segment after its log chains have taken some units.
   * These are the units that hold streams now, and log units too if those are too few.
   */
  private List<Endpoint> ableToKeepStreams(Set<Endpoint> taken) {
    List<Endpoint> able = new ArrayList<>(open.arrangement().streamUnits());
    able.removeAll(taken);
    if (able.size() < wanted.streamReplicas()) {
      able.addAll(open.arrangement().logUnits());
      able.removeAll(taken);
    }
    return wanted.streamReplicas() == 0 ? List.of() : able;
  }

  private boolean isRightForStreams(List<Chain> aim, Set<Endpoint> taken) {
    int replicas = Math.min(wanted.streamReplicas(), ableToKeepStreams(taken).size());
    for (Chain chain : aim) {
      if (chain.replicas().size() < replicas || isLeft(chain) || isAnyOf(taken, chain)) {
        return false;
      }
    }
    return replicas == 0 || !aim.isEmpty();
  }

  private static boolean isAnyOf(Set<Endpoint> units, Chain chain) {
    return chain.replicas().stream().anyMatch(units::contains);
  }

  /**
   * Returns the targets of the stream chains, or an empty list if one of them would have no unit.
   * The segment can do without stream chains, because its log chains hold all the entries.
   */
  private List<Chain> aimOfStreams(LayoutSegment segment, Set<Endpoint> taken) {
    List<Endpoint> able = ableToKeepStreams(taken);
    int replicas = Math.min(wanted.streamReplicas(), able.size());
    boolean isAnyTaken = last.stream().stream().anyMatch(chain -> isAnyOf(taken, chain));
    if (segment.stream().isEmpty()) {
      return isAnyTaken || !last.serving().hasStreams()
          ? ChainLayout.ring(able, replicas)
          : last.stream();
    }
    Set<Endpoint> without = new HashSet<>(leaving);
    without.addAll(taken);
    List<Chain> aims = new ArrayList<>();
    for (int stripe = 0; stripe < segment.stream().size(); stripe++) {
      Chain serving = segment.stream().get(stripe);
      Optional<Chain> same =
          isAnyTaken ? Optional.empty() : chainOf(stripe, last.stream(), segment.stream());
      Optional<Chain> aim =
          isGone(serving) ? Optional.of(serving) : aimOf(serving, without, same, able, replicas);
      aim.ifPresent(aims::add);
    }
    return aims.size() == segment.stream().size() ? aims : List.of();
  }
}
