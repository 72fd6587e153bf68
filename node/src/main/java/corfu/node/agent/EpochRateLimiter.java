package corfu.node.agent;

import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.runtime.reconfiguration.ClusterHealth;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Limits an agent's rate of epochs to what is useful. An epoch that leaves the layout and its
 * reason unchanged was useless: the next one for that reason has to wait, twice as long each time.
 * Even useful epochs come at one a second at most, after a burst of {@value #BURST}. For one
 * thread; the caller passes the time.
 */
final class EpochRateLimiter {

  /** The number of epochs that may follow each other at once. */
  static final int BURST = 10;

  /** The time after which one more epoch is allowed, in milliseconds. */
  static final long REFILL_MILLIS = 1_000;

  /** The number of useless epochs after which a log unit that does not serve leaves the layout. */
  static final int RENEWALS_MAX = 3;

  /** The number of failures after which a unit that should leave is needed. */
  private static final int FAILURES_MAX = 5;

  private static final long FIRST_PAUSE_MILLIS = 200;
  private static final long LONGEST_PAUSE_MILLIS = 10_000;

  /** The time after which an unseen fault is cured, in milliseconds. */
  private static final long CURED_MILLIS = 1_000;

  private final RepeatBackoff inVain =
      new RepeatBackoff(
          Duration.ofMillis(FIRST_PAUSE_MILLIS), Duration.ofMillis(LONGEST_PAUSE_MILLIS));
  private final Map<ClusterProblem, Treatment> treatments = new HashMap<>();

  /** Units that do not serve and cannot leave either, because nobody else has their entries. */
  private final Set<Endpoint> needed = new HashSet<>();

  private int allowance = BURST;
  private long refilledMillis;

  private static final class Treatment {
    private int epochs;
    private int failures;
    private long notBeforeMillis;
    private long seenMillis;
  }

  /** Records a finding. To be called with every finding. */
  void saw(HealthAssessment finding, long nowMillis) {
    long refills = (nowMillis - refilledMillis) / REFILL_MILLIS;
    if (refills > 0) {
      allowance = (int) Math.min(BURST, allowance + refills);
      refilledMillis += refills * REFILL_MILLIS;
    }
    finding.ailments().stream()
        .filter(treatments::containsKey)
        .forEach(ailment -> of(ailment).seenMillis = nowMillis);
    treatments.values().removeIf(treatment -> nowMillis - treatment.seenMillis > CURED_MILLIS);
    if (finding.ailments().isEmpty()) {
      inVain.helped();
      needed.clear();
    }
  }

  private Treatment of(ClusterProblem ailment) {
    return treatments.computeIfAbsent(ailment, fresh -> new Treatment());
  }

  /** Returns whether the agent may act on a finding with ailments. */
  boolean allows(HealthAssessment finding, long nowMillis) {
    return allowance > 0
        && inVain.allows(finding.asCase(), nowMillis)
        && finding.ailments().stream().anyMatch(ailment -> isDue(ailment, nowMillis));
  }

  private boolean isDue(ClusterProblem ailment, long nowMillis) {
    Treatment before = treatments.get(ailment);
    return before == null || nowMillis >= before.notBeforeMillis;
  }

  /**
   * Returns the cluster health to act on. Units that another epoch does not open again, and servers
   * that clients do not reach, count as broken.
   */
  ClusterHealth clusterHealth(HealthAssessment finding) {
    ClusterHealth clusterHealth = finding.clusterHealth();
    for (ClusterProblem ailment : finding.ailments()) {
      if (ailment.kind() == ClusterProblem.Kind.UNREACHABLE || isIncurable(ailment)) {
        clusterHealth = clusterHealth.suspectingToo(ailment.server().orElseThrow());
      }
    }
    return clusterHealth;
  }

  private boolean isIncurable(ClusterProblem ailment) {
    Treatment before = treatments.get(ailment);
    return ailment.kind() == ClusterProblem.Kind.UNIT_AT_REST
        && before != null
        && before.epochs >= RENEWALS_MAX
        && ailment.server().filter(needed::contains).isEmpty();
  }

  /** Records a new epoch for this finding. */
  void epochCame(HealthAssessment finding, Layout next, long nowMillis) {
    allowance--;
    inVain.helped();
    if (!finding.clusterHealth().layout().differsOnlyInEpoch(next)) {
      return;
    }
    for (ClusterProblem ailment : finding.ailments()) {
      Treatment treatment = of(ailment);
      long pause = FIRST_PAUSE_MILLIS << Math.min(treatment.epochs, 20);
      treatment.epochs++;
      treatment.notBeforeMillis = nowMillis + Math.min(pause, LONGEST_PAUSE_MILLIS);
      treatment.seenMillis = nowMillis;
    }
  }

  /**
   * Records a failed change for this finding. If changes that would drop a unit fail again and
   * again, the unit is needed.
   */
  void failed(HealthAssessment finding) {
    for (ClusterProblem ailment : finding.ailments()) {
      if (isIncurable(ailment) && ++of(ailment).failures >= FAILURES_MAX) {
        ailment.server().ifPresent(needed::add);
      }
    }
  }

  /** Records a useless change. Returns whether this is the first one for this finding. */
  boolean wasInVain(HealthAssessment finding, long nowMillis) {
    for (ClusterProblem ailment : finding.ailments()) {
      if (isIncurable(ailment)) {
        ailment.server().ifPresent(needed::add);
      }
    }
    return inVain.wasInVain(finding.asCase(), nowMillis);
  }

  /** Returns the problem that epochs do not cure, for people; empty if there is none. */
  Optional<String> trouble() {
    String incurable =
        treatments.entrySet().stream()
            .filter(treated -> treated.getValue().epochs >= RENEWALS_MAX)
            .map(treated -> treated.getValue().epochs + " epochs did not help: " + treated.getKey())
            .sorted()
            .collect(Collectors.joining("; "));
    return incurable.isEmpty() ? Optional.empty() : Optional.of(incurable);
  }
}
