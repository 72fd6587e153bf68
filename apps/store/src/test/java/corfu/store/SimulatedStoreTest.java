package corfu.store;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.sim.SimulationSeeds;
import corfu.sim.application.Application;
import corfu.sim.fault.Fault;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The store in simulated clusters, whatever goes wrong there. */
class SimulatedStoreTest {

  private static final SimulationSeeds SEEDS = SimulationSeeds.ofTest(8);

  /** The kinds of operations of clean runs, without their keys. */
  private static Set<String> cleanRuns(Application application, Set<Fault> faults) {
    return SEEDS.clean(application, faults).keySet().stream()
        .map(SimulatedStoreTest::kind)
        .collect(Collectors.toSet());
  }

  /** The kind of an operation, without its keys. */
  private static String kind(String what) {
    return what.replaceAll(" [\\[{].*[\\]}]", "");
  }

  @Test
  void whatTouchesSeveralKeysIsATransactionWhateverHappens() {
    assertThat(cleanRuns(StorePlay.withConditions(), Set.of(Fault.values())))
        .contains(
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
        .contains("store roll back to", "store multi-put", "checkpoint");
  }

  @Test
  void withoutFaultsEverythingSucceeds() {
    assertThat(cleanRuns(StorePlay.withConditions(), Set.of()))
        .filteredOn(what -> what.contains(", failed") || what.contains("unknown"))
        .isEmpty();
  }
}
