package corfu.protocol.layout;

import corfu.protocol.Endpoint;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The open segment's units for the log, or for streams, during the change from one layout to the
 * next. For one thread.
 */
final class ChainMembers {

  private final List<Chain> old;
  private final List<Endpoint> staying;
  private final Deque<Endpoint> newcomers = new ArrayDeque<>();

  ChainMembers(List<Chain> old, Set<Endpoint> leaving) {
    this.old = old;
    this.staying = new ArrayList<>(ChainLayout.unitsOf(old));
    staying.removeAll(leaving);
  }

  int size() {
    return staying.size() + newcomers.size();
  }

  void add(Endpoint newcomer) {
    newcomers.add(newcomer);
  }

  /** Moves this many of the staying units to the other crew. */
  void handTo(ChainMembers other, int count) {
    for (int i = 0; i < count; i++) {
      other.add(staying.removeLast());
    }
  }

  /**
   * Replaces each leaving unit at its position. Builds a ring of all units if replacements do not
   * suffice.
   *
   * @param replicas the wanted number of replicas of each chain; fewer if there are fewer units
   */
  List<Chain> chains(int replicas) {
    Map<Endpoint, Endpoint> replacements = new HashMap<>();
    List<Endpoint> units = new ArrayList<>();
    for (Endpoint unit : ChainLayout.unitsOf(old)) {
      if (staying.contains(unit)) {
        units.add(unit);
      } else if (!newcomers.isEmpty()) {
        Endpoint newcomer = newcomers.removeFirst();
        replacements.put(unit, newcomer);
        units.add(newcomer);
      }
    }
    boolean grows = !newcomers.isEmpty();
    units.addAll(newcomers);
    newcomers.clear();
    int most = Math.min(replicas, units.size());
    List<Chain> chains = replaced(replacements);
    boolean isComplete = chains.stream().allMatch(chain -> chain.replicas().size() >= most);
    return grows || !isComplete || chains.size() < old.size()
        ? ChainLayout.ring(units, replicas)
        : chains;
  }

  private List<Chain> replaced(Map<Endpoint, Endpoint> replacements) {
    List<Chain> chains = new ArrayList<>();
    for (Chain chain : old) {
      List<Endpoint> replicas = new ArrayList<>();
      for (Endpoint replica : chain.replicas()) {
        Optional.ofNullable(staying.contains(replica) ? replica : replacements.get(replica))
            .ifPresent(replicas::add);
      }
      if (!replicas.isEmpty()) {
        chains.add(new Chain(replicas));
      }
    }
    return chains;
  }
}
