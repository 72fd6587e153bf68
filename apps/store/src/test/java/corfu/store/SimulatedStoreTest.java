package corfu.store;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.sim.Simulation;
import corfu.sim.SimulationOptions;
import corfu.sim.SimulationReport;
import corfu.sim.application.Application;
import corfu.sim.fault.Fault;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The store in simulated clusters, whatever goes wrong there. */
class SimulatedStoreTest {

  /** More of them: {@code -Dcorfu.sim.seeds=500}, from another one on: {@code corfu.sim.first}. */
  private static final long SEEDS = Long.getLong("corfu.sim.seeds", 8);

  private static final long FIRST = Long.getLong("corfu.sim.first", 1);

  private static Map<String, Integer> cleanRuns(Application application, Set<Fault> faults) {
    Map<String, Integer> operations = new TreeMap<>();
    SimulationOptions options =
        SimulationOptions.DEFAULT.withApplication(application).withFaults(faults);
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      SimulationReport report = Simulation.run(seed, options);
      assertThat(report.violations()).as(report::explain).isEmpty();
      report
          .operations()
          .forEach((what, times) -> operations.merge(kind(what), times, Integer::sum));
    }
    return operations;
  }

  /** The kind of an operation, without its keys. */
  private static String kind(String what) {
    return what.replaceAll(" [\\[{].*[\\]}]", "");
  }

  @Test
  void whatTouchesSeveralKeysIsATransactionWhateverHappens() {
    assertThat(cleanRuns(StorePlay.withConditions(), Set.of(Fault.values())))
        .containsKeys(
            "store put",
            "store multi-put",
            "store conditional put",
            "store get",
            "store scan",
            "store at last",
            "snapshot",
            "look at the past",
            "checkpoint",
            "compaction");
  }

  @Test
  void aRollBackIsOneChangeWhateverHappens() {
    assertThat(cleanRuns(StorePlay.withRollBacks(), Set.of(Fault.values())))
        .containsKeys("store roll back to", "store multi-put", "checkpoint");
  }

  @Test
  void withoutFaultsEverythingSucceeds() {
    assertThat(cleanRuns(StorePlay.withConditions(), Set.of()).keySet())
        .filteredOn(what -> what.contains(", failed") || what.contains("unknown"))
        .isEmpty();
  }
}
