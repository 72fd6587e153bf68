package corfu.node.agent;

import corfu.protocol.Endpoint;
import corfu.runtime.reconfiguration.ClusterHealth;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Chooses which server leaves the layout because clients do not reach it: one at a time, and after
 * it has left no other one until clients have reported again. For one thread; time is what the
 * caller says.
 */
final class UnreachableServers {

  /** Clients report a server after they have missed it for so long. */
  private static final Duration REPORTED_AFTER = Duration.ofMillis(400);

  /** Reports must be seen again after this time: in another look. */
  private static final Duration SEEN_AT_LEAST = Duration.ofMillis(40);

  /** By then clients that miss a server have used the new layout, and have reported again. */
  static final Duration BETWEEN = Duration.ofSeconds(1);

  private final long seenMillis;
  private final Map<Endpoint, Long> seenSince = new HashMap<>();
  private Optional<Endpoint> chosen = Optional.empty();
  private Optional<Long> leftMillis = Optional.empty();

  /**
   * @param suspicion a server that does not answer for a shorter time is not suspected
   */
  UnreachableServers(Duration suspicion) {
    long remaining = suspicion.minus(REPORTED_AFTER).toMillis();
    this.seenMillis = Math.max(SEEN_AT_LEAST.toMillis(), remaining);
  }

  /**
   * Returns the server that is to leave, or nothing.
   *
   * @param needed the servers of the layout that clients use
   * @param mayLeave whether others can do without a server
   */
  Optional<Endpoint> choose(
      ClusterHealth clusterHealth,
      Set<Endpoint> needed,
      Predicate<Endpoint> mayLeave,
      long nowMillis) {
    if (chosen.isPresent() && !needed.contains(chosen.get())) {
      leftMillis = Optional.of(nowMillis);
      chosen = Optional.empty();
    }
    Set<Endpoint> missed = new LinkedHashSet<>(needed);
    missed.retainAll(clusterHealth.unreachable());
    missed.removeAll(clusterHealth.suspects());
    seenSince.keySet().retainAll(missed);
    missed.forEach(server -> seenSince.putIfAbsent(server, nowMillis));
    if (leftMillis.filter(left -> nowMillis - left < BETWEEN.toMillis()).isPresent()) {
      return Optional.empty();
    }
    chosen =
        chosen
            .filter(missed::contains)
            .filter(mayLeave)
            .or(() -> first(missed, mayLeave, nowMillis));
    return chosen;
  }

  private Optional<Endpoint> first(
      Set<Endpoint> missed, Predicate<Endpoint> mayLeave, long nowMillis) {
    return missed.stream().filter(server -> isOld(server, nowMillis)).filter(mayLeave).findFirst();
  }

  private boolean isOld(Endpoint server, long nowMillis) {
    return nowMillis - seenSince.getOrDefault(server, nowMillis) >= seenMillis;
  }
}
