package corfu.protocol.layout;

import corfu.protocol.Endpoint;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The chains of the open segment: a unit that leaves is replaced where it stood, or else a ring is
 * made of all that are left.
 *
 * @param chains of the next layout's open segment
 * @param units all of them, in their order
 * @param isNew whether these are other chains than before
 */
record OpenArrangement(List<Chain> chains, List<Endpoint> units, boolean isNew) {

  static OpenArrangement next(Layout now, Circumstances circumstances) {
    List<Chain> old = now.openSegment().log();
    Set<Endpoint> leaving = leaving(now, circumstances);
    checkThatEveryChainIsLeft(old, circumstances.gone());
    List<Endpoint> before = order(old);
    Deque<Endpoint> others = candidates(now, circumstances, leaving);
    Map<Endpoint, Endpoint> replacements = new HashMap<>();
    List<Endpoint> units = new ArrayList<>();
    for (Endpoint unit : before) {
      if (!leaving.contains(unit)) {
        units.add(unit);
      } else if (!others.isEmpty()) {
        Endpoint other = others.removeFirst();
        replacements.put(unit, other);
        units.add(other);
      }
    }
    boolean grows = false;
    while (units.size() < now.wanted().units() && !others.isEmpty()) {
      units.add(others.removeFirst());
      grows = true;
    }
    if (units.isEmpty()) {
      throw new LastReplicaException(
          "no log unit would be left without " + leaving + "; add others first");
    }
    int replicas = Math.min(now.wanted().replicas(), units.size());
    List<Chain> chains = replaced(old, leaving, replacements);
    boolean isComplete = chains.stream().allMatch(chain -> chain.replicas().size() >= replicas);
    if (grows || !isComplete || chains.size() < old.size()) {
      chains = Layout.ring(units, replicas);
    }
    return chains.equals(old)
        ? new OpenArrangement(old, before, false)
        : new OpenArrangement(chains, units, true);
  }

  /** Units that the next layout's appends must not go to. */
  static Set<Endpoint> leaving(Layout now, Circumstances circumstances) {
    Set<Endpoint> leaving = new HashSet<>(circumstances.gone());
    now.units().stream().filter(Member::retiring).forEach(member -> leaving.add(member.endpoint()));
    return leaving;
  }

  private static void checkThatEveryChainIsLeft(List<Chain> chains, Set<Endpoint> gone) {
    for (Chain chain : chains) {
      if (gone.containsAll(chain.replicas())) {
        throw new LastReplicaException(
            "all replicas of a chain of the open segment are gone: "
                + chain.replicas()
                + "; what was appended last is on them, so one of them must come back");
      }
    }
  }

  /** Heads first: for a ring this is the order in which it was made. */
  private static List<Endpoint> order(List<Chain> chains) {
    Set<Endpoint> order = new LinkedHashSet<>();
    chains.forEach(chain -> order.add(chain.head()));
    chains.forEach(chain -> order.addAll(chain.replicas()));
    return List.copyOf(order);
  }

  /**
   * Spares that have been reset. A unit that holds older segments alone may have been dropped from
   * the open one without a seal, and hold what nobody counted.
   */
  private static Deque<Endpoint> candidates(
      Layout now, Circumstances circumstances, Set<Endpoint> leaving) {
    Deque<Endpoint> candidates = new ArrayDeque<>();
    for (Endpoint spare : now.spares()) {
      if (!leaving.contains(spare) && circumstances.fresh().containsKey(spare)) {
        candidates.add(spare);
      }
    }
    return candidates;
  }

  private static List<Chain> replaced(
      List<Chain> old, Set<Endpoint> leaving, Map<Endpoint, Endpoint> replacements) {
    List<Chain> chains = new ArrayList<>();
    for (Chain chain : old) {
      List<Endpoint> replicas = new ArrayList<>();
      for (Endpoint replica : chain.replicas()) {
        if (!leaving.contains(replica)) {
          replicas.add(replica);
        } else if (replacements.containsKey(replica)) {
          replicas.add(replacements.get(replica));
        }
      }
      if (!replicas.isEmpty()) {
        chains.add(new Chain(replicas));
      }
    }
    return chains;
  }
}
