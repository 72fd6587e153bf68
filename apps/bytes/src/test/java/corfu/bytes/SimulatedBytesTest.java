package corfu.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.sim.Simulation;
import corfu.sim.SimulationOptions;
import corfu.sim.SimulationReport;
import corfu.sim.SimulationSeeds;
import corfu.sim.fault.Fault;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Byte arrays in simulated clusters, whatever goes wrong there. */
class SimulatedBytesTest {

  private static final SimulationSeeds SEEDS = SimulationSeeds.ofTest(8);

  private static SimulationReport run(long seed, BytesPlay.Bug bug, Set<Fault> faults) {
    return Simulation.run(
        seed,
        SimulationOptions.DEFAULT.withApplication(BytesPlay.application(bug)).withFaults(faults));
  }

  @Test
  void everyVersionIsWhatTheOrderOfTheLogSaysWhateverHappens() {
    assertThat(SEEDS.clean(BytesPlay.application(BytesPlay.Bug.NONE), Set.of(Fault.values())))
        .containsKeys(
            "write",
            "append",
            "truncate",
            "punch",
            "clone",
            "copy",
            "own entry",
            "child",
            "close",
            "checkpoint",
            "take over",
            "batch",
            "scattered batch",
            "batch of a fenced writer",
            "release",
            "reclaim",
            "scatter",
            "trim checkpoints",
            "read",
            "read at a writer",
            "look at the past");
  }

  @Test
  void withoutFaultsEverythingSucceeds() {
    assertThat(SEEDS.clean(BytesPlay.application(BytesPlay.Bug.NONE), Set.of()).keySet())
        .filteredOn(what -> what.contains(", failed") || what.contains("unknown"))
        .isEmpty();
  }

  @Test
  void staleReadsAreReported() {
    assertThat(run(SEEDS.first(), BytesPlay.Bug.STALE_ENDS, Set.of()).violations().toString())
        .contains("Linearizable");
  }

  @Test
  void aVersionThatIsTakenForAnotherOneIsReported() {
    assertThat(run(SEEDS.first(), BytesPlay.Bug.WRONG_VERSION, Set.of()).violations().toString())
        .contains("Bytes");
  }
}
