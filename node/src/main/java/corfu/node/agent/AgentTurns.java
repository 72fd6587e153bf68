package corfu.node.agent;

import corfu.protocol.Endpoint;
import corfu.runtime.reconfiguration.ClusterHealth;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Decides which agent acts: that of the first layout server that answers. If a finding stays, the
 * others have their turns one after the other, because the first one may be cut off from a required
 * server. For one thread; the caller passes the time.
 */
final class AgentTurns {

  /** The duration of a turn: an agent that can act has changed something within this time. */
  static final Duration TURN = Duration.ofSeconds(1);

  private final Endpoint self;
  private Optional<HealthAssessment> last = Optional.empty();
  private long sinceMillis;

  AgentTurns(Endpoint self) {
    this.self = self;
  }

  /** Returns whether this agent shall act on the finding. */
  boolean isOurs(HealthAssessment finding, long nowMillis) {
    boolean isSame =
        last.filter(
                before ->
                    before.ailments().equals(finding.ailments())
                        && before
                            .clusterHealth()
                            .layout()
                            .epoch()
                            .equals(finding.clusterHealth().layout().epoch()))
            .isPresent();
    if (!isSame) {
      sinceMillis = nowMillis;
    }
    last = Optional.of(finding);
    int rank = rank(finding.clusterHealth());
    if (rank <= 0 || finding.ailments().isEmpty()) {
      return rank == 0;
    }
    return nowMillis - sinceMillis >= rank * TURN.toMillis();
  }

  /**
   * Returns this agent's place among the layout servers that answer, or are heard of; -1 if it has
   * none.
   */
  private int rank(ClusterHealth clusterHealth) {
    Optional<Endpoint> first = clusterHealth.first();
    List<Endpoint> living =
        clusterHealth.layout().layoutServers().stream()
            .filter(
                server ->
                    first.equals(Optional.of(server)) || !clusterHealth.of(server).suspected())
            .toList();
    int place = living.indexOf(self);
    int start = first.map(living::indexOf).orElse(0);
    return place < 0 ? -1 : place - start;
  }
}
