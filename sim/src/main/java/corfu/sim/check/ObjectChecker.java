package corfu.sim.check;

import corfu.sim.history.ObjectCalls;
import corfu.sim.isolation.IsolationChecker;
import corfu.sim.isolation.IsolationChecker.Clock;
import corfu.sim.linearizability.Linearizability;
import corfu.sim.linearizability.OrderSearch;
import corfu.sim.world.Violations;
import java.util.List;

/**
 * Checks the results of clients' calls on objects. Transactions are strictly serializable, or have
 * the weaker guarantee that they asked for. Registers that are used by single calls are
 * linearizable.
 */
public final class ObjectChecker {

  private static final int SHOWN = 40;

  private final Violations findings;
  private final ObjectCalls history;
  private final boolean readsAreUpToDate;

  /**
   * @param readsAreUpToDate whether the cluster has leases; without them a read may return an
   *     earlier state, but not one older than the same process has seen
   */
  public ObjectChecker(Violations findings, ObjectCalls history, boolean readsAreUpToDate) {
    this.findings = findings;
    this.history = history;
    this.readsAreUpToDate = readsAreUpToDate;
  }

  public void check() {
    Clock clock = readsAreUpToDate ? Clock.SHARED : Clock.ONE_A_PROCESS;
    for (String anomaly : IsolationChecker.anomalies(history.transactions(), clock)) {
      findings.broken("Transactions", "%s", anomaly);
    }
    if (readsAreUpToDate) {
      history.alone().forEach(this::checkAlone);
    }
  }

  private void checkAlone(String register, List<Linearizability.Event> events) {
    if (Linearizability.of(events) == OrderSearch.Answer.NO) {
      findings.broken(
          "I7, objects",
          "%s is not linearizable: %s",
          register,
          events.subList(0, Math.min(events.size(), SHOWN)));
    }
  }
}
