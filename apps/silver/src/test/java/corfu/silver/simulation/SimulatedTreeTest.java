package corfu.silver.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.sim.Simulation;
import corfu.sim.SimulationOptions;
import corfu.sim.SimulationReport;
import corfu.sim.fault.Fault;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Clients of a file system in simulated clusters, whatever goes wrong there. */
class SimulatedTreeTest {

  /** More of them: {@code -Dcorfu.sim.seeds=500}, from another one on: {@code corfu.sim.first}. */
  private static final long SEEDS = Long.getLong("corfu.sim.seeds", 6);

  private static final long FIRST = Long.getLong("corfu.sim.first", 1);

  private static Map<String, Integer> cleanRuns(Set<Fault> faults) {
    Map<String, Integer> operations = new TreeMap<>();
    SimulationOptions options =
        SimulationOptions.DEFAULT.withApplication(TreePlay.APPLICATION).withFaults(faults);
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      SimulationReport report = Simulation.run(seed, options);
      assertThat(report.violations()).as(report::explain).isEmpty();
      report.operations().forEach((what, times) -> operations.merge(what, times, Integer::sum));
    }
    return operations;
  }

  @Test
  void clientsSeeOneFileSystemWhateverHappens() {
    assertThat(cleanRuns(Set.of(Fault.values())))
        .containsKeys(
            "tree create",
            "tree mkdir",
            "tree unlink",
            "tree rmdir",
            "tree rename",
            "tree exchange",
            "tree link",
            "tree write",
            "tree append",
            "tree resize",
            "tree punch",
            "tree read",
            "tree list at last",
            "tree content at last",
            "look at the past",
            "alone");
  }

  @Test
  void withoutFaultsEverythingSucceeds() {
    assertThat(cleanRuns(Set.of()).keySet())
        .filteredOn(what -> what.contains(", failed") || what.contains("unknown"))
        .isEmpty();
  }
}
