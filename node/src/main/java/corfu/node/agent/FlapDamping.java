package corfu.node.agent;

import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.runtime.reconfiguration.Observers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Remembers which log units were dropped, and how often. A unit that comes and goes must live
 * longer each time before it is used again; otherwise the cluster would be copying all the time.
 * For one thread.
 */
final class FlapDamping {

  /** The time after which a drop is forgotten. */
  private static final Duration MEMORY = Duration.ofHours(1);

  private static final Duration LONGEST = Duration.ofMinutes(5);

  private final long trustMillis;
  private final Map<Endpoint, Deque<Long>> drops = new HashMap<>();
  private Optional<Layout> last = Optional.empty();

  /**
   * @param trust the time for which a unit must live that was dropped once
   */
  FlapDamping(Duration trust) {
    this.trustMillis = trust.toMillis();
  }

  /** Records the units that have left since the previous layout. */
  void saw(Layout layout, long nowMillis) {
    if (last.isPresent() && last.get().epoch().isBefore(layout.epoch())) {
      Set<Endpoint> left = new HashSet<>(last.get().logUnits());
      left.removeAll(layout.logUnits());
      left.forEach(unit -> drops.computeIfAbsent(unit, u -> new ArrayDeque<>()).add(nowMillis));
    }
    last = Optional.of(layout);
    for (Deque<Long> times : drops.values()) {
      while (!times.isEmpty() && nowMillis - times.getFirst() > MEMORY.toMillis()) {
        times.removeFirst();
      }
    }
    drops.values().removeIf(Deque::isEmpty);
  }

  /** Returns whether a spare that has lived for this long may be used. */
  boolean isEarnedBy(Endpoint spare, long steadyMillis, long nowMillis) {
    Deque<Long> times = drops.get(spare);
    if (times == null) {
      return steadyMillis >= Observers.FRESH_TRUST.toMillis();
    }
    long sinceThen = Math.min(steadyMillis, nowMillis - times.getLast());
    return sinceThen >= neededAfter(times.size());
  }

  private long neededAfter(int dropped) {
    int doublings = Math.min(dropped - 1, 20);
    return Math.min(trustMillis << doublings, Math.max(trustMillis, LONGEST.toMillis()));
  }
}
