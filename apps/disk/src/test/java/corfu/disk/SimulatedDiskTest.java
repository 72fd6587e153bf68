package corfu.disk;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.sim.Simulation;
import corfu.sim.SimulationOptions;
import corfu.sim.SimulationReport;
import corfu.sim.SimulationSeeds;
import corfu.sim.fault.Fault;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Servers of a disk in simulated clusters, whatever goes wrong there. */
class SimulatedDiskTest {

  private static final SimulationSeeds SEEDS = SimulationSeeds.ofTest(8);

  private static SimulationReport run(DiskPlay.Bug bug) {
    return Simulation.run(
        SEEDS.first(),
        SimulationOptions.DEFAULT
            .withApplication(DiskPlay.application(bug))
            .withFaults(Set.of(Fault.KILL_CLIENT)));
  }

  @Test
  void aFlushIsKeptBlocksAreWholeAndFencedServersChangeNothingWhateverHappens() {
    assertThat(SEEDS.clean(DiskPlay.application(DiskPlay.Bug.NONE), Set.of(Fault.values())))
        .containsKeys(
            "create",
            "open",
            "write",
            "forced write",
            "flush",
            "trim",
            "read",
            "leave",
            "disk, FENCED",
            "disk, NOT_PERMITTED");
  }

  @Test
  void withoutFaultsNothingFailsButWhatAnotherServerTookOver() {
    assertThat(SEEDS.clean(DiskPlay.application(DiskPlay.Bug.NONE), Set.of()).keySet())
        .filteredOn(what -> what.contains("failed") || what.startsWith("disk, "))
        .isSubsetOf("disk, FENCED", "disk, NOT_PERMITTED");
  }

  @Test
  void aFlushThatLiesIsReported() {
    assertThat(run(DiskPlay.Bug.FLUSH_LIES).violations().toString()).contains("was replaced by");
  }

  @Test
  void staleReadsAreReported() {
    assertThat(run(DiskPlay.Bug.STALE_READ).violations().toString()).contains("was replaced by");
  }
}
