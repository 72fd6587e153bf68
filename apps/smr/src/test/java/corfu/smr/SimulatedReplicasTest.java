package corfu.smr;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.sim.Simulation;
import corfu.sim.SimulationOptions;
import corfu.sim.SimulationReport;
import corfu.sim.fault.Fault;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Replicated state machines in simulated clusters, whatever goes wrong there. */
class SimulatedReplicasTest {

  /** More of them: {@code -Dcorfu.sim.seeds=500}, from another one on: {@code corfu.sim.first}. */
  private static final long SEEDS = Long.getLong("corfu.sim.seeds", 8);

  private static final long FIRST = Long.getLong("corfu.sim.first", 1);

  private static Map<String, Integer> cleanRuns(Set<Fault> faults) {
    Map<String, Integer> operations = new TreeMap<>();
    SimulationOptions options =
        SimulationOptions.DEFAULT.withApplication(ReplicaPlay.APPLICATION).withFaults(faults);
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      SimulationReport report = Simulation.run(seed, options);
      assertThat(report.violations()).as(report::explain).isEmpty();
      report.operations().forEach((what, times) -> operations.merge(what, times, Integer::sum));
    }
    return operations;
  }

  @Test
  void replicasAreTheSameAndAnswerAsOneMachineWhateverHappens() {
    assertThat(cleanRuns(Set.of(Fault.values())))
        .containsKeys(
            "machine swap",
            "machine read",
            "machine at last",
            "burst",
            "command in order",
            "command that shares an entry",
            "refusal",
            "checkpoint",
            "forget",
            "look at the past");
  }

  @Test
  void withoutFaultsEverythingSucceeds() {
    assertThat(cleanRuns(Set.of()).keySet())
        .filteredOn(what -> what.contains(", failed") || what.contains("unknown"))
        .isEmpty();
  }
}
