package corfu.node.agent;

import corfu.protocol.Endpoint;
import corfu.runtime.reconfiguration.ClusterHealth;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Confirms suspicions that are seen twice in a row. After a machine has stood still, all servers
 * seem to have been silent. Therefore looks before such a pause, or directly after it, confirm
 * nothing. For one thread; the caller passes the time.
 */
final class SuspicionConfirmation {

  /** The largest time between two looks that confirm each other. */
  private static final Duration GAP_MAX = Duration.ofMillis(400);

  /** The longest time for which a confirmed suspicion waits for doubts about other servers. */
  private static final Duration DOUBTS_MAX = Duration.ofMillis(200);

  private Set<Endpoint> doubted = Set.of();
  private boolean hasDoubts;
  private long lastMillis;

  /** The last time at which nothing was confirmed, or nothing was in doubt. */
  private long clearMillis;

  /** Returns the cluster health without new suspicions. */
  ClusterHealth of(ClusterHealth seen, long nowMillis) {
    Set<Endpoint> confirmed = new LinkedHashSet<>(seen.suspects());
    confirmed.retainAll(nowMillis - lastMillis > GAP_MAX.toMillis() ? Set.of() : doubted);
    doubted = Set.copyOf(seen.suspects());
    boolean isAnyNew = !confirmed.equals(doubted);
    if (confirmed.isEmpty() || !isAnyNew) {
      clearMillis = nowMillis;
    }
    hasDoubts = isAnyNew && nowMillis - clearMillis < DOUBTS_MAX.toMillis();
    lastMillis = nowMillis;
    return seen.suspectingOnly(confirmed);
  }

  /**
   * Returns whether the last cluster health has new suspicions. A change at that time may fail
   * because of these servers, and last so long that the next look confirms nothing either. So it is
   * better to look once more first. But late signs of life may raise doubts again and again; then
   * confirmed suspicions do not wait for them.
   */
  boolean hasDoubts() {
    return hasDoubts;
  }
}
