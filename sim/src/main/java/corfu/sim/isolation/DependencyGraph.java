package corfu.sim.isolation;

import corfu.sim.isolation.Dependency.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The dependencies between transactions. If they form a cycle, no order explains the history. */
final class DependencyGraph {

  private final List<List<Dependency>> outgoing = new ArrayList<>();

  int addNode() {
    outgoing.add(new ArrayList<>());
    return outgoing.size() - 1;
  }

  void add(int from, int to, Kind kind, String why) {
    if (from != to) {
      outgoing.get(from).add(new Dependency(from, to, kind, why));
    }
  }

  /**
   * Returns a cycle of dependencies of these kinds, with as few of {@link Kind#READ_WRITE} as
   * possible, or empty if there is none.
   */
  Optional<List<Dependency>> circle(Set<Kind> kinds) {
    int[] component = components(kinds);
    Optional<List<Dependency>> best = Optional.empty();
    Set<Kind> without = EnumSet.copyOf(kinds);
    without.remove(Kind.READ_WRITE);
    for (List<Dependency> each : outgoing) {
      for (Dependency first : each) {
        if (kinds.contains(first.kind()) && component[first.from()] == component[first.to()]) {
          boolean isRead = first.kind() == Kind.READ_WRITE;
          var back =
              path(first.to(), first.from(), isRead ? without : kinds, component)
                  .or(() -> path(first.to(), first.from(), kinds, component));
          List<Dependency> circle = new ArrayList<>(List.of(first));
          circle.addAll(back.orElseThrow());
          best = Optional.of(better(best, circle));
        }
      }
    }
    return best;
  }

  private static List<Dependency> better(Optional<List<Dependency>> best, List<Dependency> other) {
    return best.isPresent() && cost(best.get()) <= cost(other) ? best.get() : other;
  }

  private static long cost(List<Dependency> circle) {
    return 1000 * reads(circle) + circle.size();
  }

  static long reads(List<Dependency> circle) {
    return circle.stream().filter(each -> each.kind() == Kind.READ_WRITE).count();
  }

  /** Returns the shortest path within a component. */
  private Optional<List<Dependency>> path(int from, int to, Set<Kind> kinds, int[] component) {
    Dependency[] reachedBy = new Dependency[outgoing.size()];
    ArrayDeque<Integer> open = new ArrayDeque<>(List.of(from));
    while (!open.isEmpty()) {
      int node = open.removeFirst();
      if (node == to) {
        List<Dependency> path = new ArrayList<>();
        for (int at = to; at != from; at = reachedBy[at].from()) {
          path.addFirst(reachedBy[at]);
        }
        return Optional.of(path);
      }
      for (Dependency next : outgoing.get(node)) {
        if (kinds.contains(next.kind())
            && component[next.to()] == component[from]
            && next.to() != from
            && reachedBy[next.to()] == null) {
          reachedBy[next.to()] = next;
          open.add(next.to());
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Returns a number for each node, which is the same for all nodes that share cycles with it
   * (Tarjan's algorithm).
   */
  private int[] components(Set<Kind> kinds) {
    int count = outgoing.size();
    int[] component = new int[count];
    int[] found = new int[count]; // when, from 1; 0: not yet
    int[] low = new int[count];
    int[] next = new int[count];
    Arrays.fill(component, -1);
    ArrayDeque<Integer> open = new ArrayDeque<>();
    ArrayDeque<Integer> path = new ArrayDeque<>();
    int clock = 0;
    for (int root = 0; root < count; root++) {
      if (found[root] == 0) {
        path.push(root);
      }
      while (!path.isEmpty()) {
        int node = path.getFirst();
        if (found[node] == 0) {
          found[node] = low[node] = ++clock;
          open.push(node);
        }
        boolean isDone = true;
        while (isDone && next[node] < outgoing.get(node).size()) {
          Dependency each = outgoing.get(node).get(next[node]);
          if (kinds.contains(each.kind()) && found[each.to()] == 0) {
            path.push(each.to());
            isDone = false;
          } else {
            if (kinds.contains(each.kind()) && component[each.to()] < 0) {
              low[node] = Math.min(low[node], low[each.to()]);
            }
            next[node]++;
          }
        }
        if (isDone) {
          path.pop();
          if (low[node] == found[node]) {
            int member;
            do {
              member = open.pop();
              component[member] = node;
            } while (member != node);
          }
        }
      }
    }
    return component;
  }
}
