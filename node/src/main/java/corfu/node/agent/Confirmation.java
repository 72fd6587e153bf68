package corfu.node.agent;

import corfu.protocol.Endpoint;
import corfu.runtime.reconfiguration.ClusterHealth;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Lets a suspicion count when it is seen twice in a row. After a machine has stood still everybody
 * seems to have been silent, so what was seen before such a pause, or just after it, confirms
 * nothing. For one thread; time is what the caller says.
 */
final class Confirmation {

  /** Looks that are further apart than this do not confirm each other. */
  private static final Duration GAP_MAX = Duration.ofMillis(400);

  /** A confirmed suspicion waits for the doubts about other servers no longer than this. */
  private static final Duration DOUBTS_MAX = Duration.ofMillis(200);

  private Set<Endpoint> doubted = Set.of();
  private boolean hasDoubts;
  private long lastMillis;

  /** When it was last so that nothing was confirmed, or nothing in doubt. */
  private long clearMillis;

  /** The cluster health, without suspicions that are new. */
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
   * Whether the cluster health shown last has suspicions that are new. Whatever is done about it
   * then may fail for them, and take so long that the next look confirms nothing either: better to
   * look once more first. But signs of life that come late may raise doubts again and again; then
   * what is confirmed does not wait for them.
   */
  boolean hasDoubts() {
    return hasDoubts;
  }
}
