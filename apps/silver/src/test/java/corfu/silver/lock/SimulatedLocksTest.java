package corfu.silver.lock;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Mounts of one file system in simulated clusters, whatever goes wrong there. */
class SimulatedLocksTest {

  /** More of them: {@code -Dcorfu.sim.seeds=500}, from another one on: {@code corfu.sim.first}. */
  private static final long SEEDS = Long.getLong("corfu.sim.seeds", 4);

  private static final long FIRST = Long.getLong("corfu.sim.first", 1);

  private static Map<String, Integer> cleanRuns(Application application, Set<Fault> faults) {
    Map<String, Integer> operations = new TreeMap<>();
    SimulationOptions options =
        SimulationOptions.DEFAULT.withApplication(application).withFaults(faults);
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      SimulationReport report = Simulation.run(seed, options);
      assertThat(report.violations()).as(report::explain).isEmpty();
      report.operations().forEach((what, times) -> operations.merge(what, times, Integer::sum));
    }
    return operations;
  }

  @Test
  void locksExcludeEachOtherAndRequestsEndWhateverHappens() {
    assertThat(cleanRuns(LockPlay.APPLICATION, Set.of(Fault.values())))
        .containsKeys("lock", "lock refused", "deadlock", "wait given up", "release", "look");
  }

  @Test
  void aMountThatIsPausedBeyondItsTimeoutLearnsThatItsLocksAreLost() {
    assertThat(cleanRuns(LockPlay.HASTY, Set.of(Fault.PAUSE_CLIENT)))
        .containsKeys("locks lost", "lock not relied on", "mount closed");
  }

  @Test
  void withoutFaultsNoMountLosesALock() {
    assertThat(cleanRuns(LockPlay.CALM, Set.of()).keySet())
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
