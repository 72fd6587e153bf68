package corfu.silver.lock;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.sim.Simulation;
import corfu.sim.SimulationOptions;
import corfu.sim.SimulationReport;
import corfu.sim.SimulationSeeds;
import corfu.sim.fault.Fault;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Mounts of one file system in simulated clusters, whatever goes wrong there. */
class SimulatedLocksTest {

  private static final SimulationSeeds SEEDS = SimulationSeeds.ofTest(4);

  /** So many that a pause lasts long enough in one of them. */
  private static final SimulationSeeds MORE_SEEDS = SimulationSeeds.ofTest(10);

  /** So many that waits form a circle in some of them. */
  private static final SimulationSeeds MANY_SEEDS = SimulationSeeds.ofTest(20);

  @Test
  void locksExcludeEachOtherAndRequestsEndWhateverHappens() {
    assertThat(MANY_SEEDS.clean(LockPlay.APPLICATION, Set.of(Fault.values())))
        .containsKeys("lock", "lock refused", "deadlock", "wait given up", "release", "look");
  }

  @Test
  void aMountThatIsPausedBeyondItsTimeoutLearnsThatItsLocksAreLost() {
    assertThat(MORE_SEEDS.clean(LockPlay.HASTY, Set.of(Fault.PAUSE_CLIENT)))
        .containsKeys("locks lost", "lock not relied on", "mount closed");
  }

  @Test
  void withoutFaultsNoMountLosesALock() {
    assertThat(SEEDS.clean(LockPlay.CALM, Set.of()).keySet())
        .filteredOn(what -> what.contains(", failed"))
        .isEmpty();
  }

  /** Otherwise a clean run would tell nothing. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void theBrokenPromiseOfAPlantedBugIsReported(LockPlay.PlantedBug bug) {
    SimulationOptions options =
        SimulationOptions.DEFAULT.withApplication(LockPlay.with(bug)).withFaults(Set.of());
    SimulationReport report = Simulation.run(1, options);
    assertThat(report.violations())
        .as("violations with %s", bug)
        .anySatisfy(violation -> assertThat(violation).contains(bug.promise()));
  }
}
