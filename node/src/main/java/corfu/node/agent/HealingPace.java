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
 * Keeps an agent from making epochs faster than they mend anything. An epoch that leaves the layout
 * as it was, and its reason too, was in vain: the next one for that reason has to wait, twice as
 * long each time. However well they mend, a burst of {@value #BURST} epochs is followed by one a
 * second at most. For one thread; time is what the caller says.
 */
final class HealingPace {

  /** So many epochs may follow each other at once. */
  static final int BURST = 10;

  /** One more is allowed after each of these. */
  static final long REFILL_MILLIS = 1_000;

  /** After so many epochs in vain a log unit that does not serve is left out of the layout. */
  static final int RENEWALS_MAX = 3;

  /** After so many failures a unit that was to be left out is needed. */
  private static final int FAILURES_MAX = 5;

  private static final long FIRST_PAUSE_MILLIS = 200;
  private static final long LONGEST_PAUSE_MILLIS = 10_000;

  /** What has not been seen for so long is cured. */
  private static final long CURED_MILLIS = 1_000;

  private final Patience inVain =
      new Patience(Duration.ofMillis(FIRST_PAUSE_MILLIS), Duration.ofMillis(LONGEST_PAUSE_MILLIS));
  private final Map<Ailment, Treatment> treatments = new HashMap<>();

  /** Units that do not serve and cannot be left out either: nobody else has what they hold. */
  private final Set<Endpoint> needed = new HashSet<>();

  private int allowance = BURST;
  private long refilledMillis;

  private static final class Treatment {
    private int epochs;
    private int failures;
    private long notBeforeMillis;
    private long seenMillis;
  }

  /** To be told of every finding. */
  void saw(Finding finding, long nowMillis) {
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

  private Treatment of(Ailment ailment) {
    return treatments.computeIfAbsent(ailment, fresh -> new Treatment());
  }

  /** Whether something may be done about a finding that has ailments. */
  boolean allows(Finding finding, long nowMillis) {
    return allowance > 0
        && inVain.allows(finding.asCase(), nowMillis)
        && finding.ailments().stream().anyMatch(ailment -> isDue(ailment, nowMillis));
  }

  private boolean isDue(Ailment ailment, long nowMillis) {
    Treatment before = treatments.get(ailment);
    return before == null || nowMillis >= before.notBeforeMillis;
  }

  /**
   * What to go by: units that another epoch does not open again, and servers that clients do not
   * reach, count as broken.
   */
  ClusterHealth clusterHealth(Finding finding) {
    ClusterHealth clusterHealth = finding.clusterHealth();
    for (Ailment ailment : finding.ailments()) {
      if (ailment.kind() == Ailment.Kind.UNREACHABLE || isIncurable(ailment)) {
        clusterHealth = clusterHealth.suspectingToo(ailment.server().orElseThrow());
      }
    }
    return clusterHealth;
  }

  private boolean isIncurable(Ailment ailment) {
    Treatment before = treatments.get(ailment);
    return ailment.kind() == Ailment.Kind.UNIT_AT_REST
        && before != null
        && before.epochs >= RENEWALS_MAX
        && ailment.server().filter(needed::contains).isEmpty();
  }

  /** An epoch has come for this. */
  void epochCame(Finding finding, Layout next, long nowMillis) {
    allowance--;
    inVain.helped();
    if (!finding.clusterHealth().layout().differsOnlyInEpoch(next)) {
      return;
    }
    for (Ailment ailment : finding.ailments()) {
      Treatment treatment = of(ailment);
      long pause = FIRST_PAUSE_MILLIS << Math.min(treatment.epochs, 20);
      treatment.epochs++;
      treatment.notBeforeMillis = nowMillis + Math.min(pause, LONGEST_PAUSE_MILLIS);
      treatment.seenMillis = nowMillis;
    }
  }

  /**
   * A try to do something about it has failed. Where that is so again and again though a unit was
   * to be left out, nobody can do without the unit.
   */
  void failed(Finding finding) {
    for (Ailment ailment : finding.ailments()) {
      if (isIncurable(ailment) && ++of(ailment).failures >= FAILURES_MAX) {
        ailment.server().ifPresent(needed::add);
      }
    }
  }

  /** Nothing came of it. Returns whether that is so for the first time. */
  boolean wasInVain(Finding finding, long nowMillis) {
    for (Ailment ailment : finding.ailments()) {
      if (isIncurable(ailment)) {
        ailment.server().ifPresent(needed::add);
      }
    }
    return inVain.wasInVain(finding.asCase(), nowMillis);
  }

  /** What epochs do not cure, for people; empty if there is nothing. */
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
