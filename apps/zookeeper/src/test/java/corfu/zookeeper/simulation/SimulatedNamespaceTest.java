package corfu.zookeeper.simulation;

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

/** Translation servers and their clients in simulated clusters, whatever goes wrong there. */
class SimulatedNamespaceTest {

  /** More of them: {@code -Dcorfu.sim.seeds=500}, from another one on: {@code corfu.sim.first}. */
  private static final long SEEDS = Long.getLong("corfu.sim.seeds", 3);

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
  void clientsSeeOneNamespaceWhateverHappens() {
    assertThat(cleanRuns(NamespacePlay.APPLICATION, Set.of(Fault.values())))
        .containsKeys(
            "session begun",
            "session moved",
            "session expired",
            "session closed",
            "watch event",
            "watches armed again",
            "late request",
            "checkpoint",
            "forget",
            "server closed",
            "namespace at last");
  }

  /** Otherwise a clean run would tell nothing. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void theBrokenPromiseOfAPlantedBugIsReported(PlantedBug bug) {
    SimulationOptions options =
        SimulationOptions.DEFAULT.withApplication(NamespacePlay.with(bug)).withFaults(Set.of());
    SimulationReport report = Simulation.run(1, options);
    assertThat(report.violations())
        .as("violations with %s", bug)
        .anySatisfy(violation -> assertThat(violation).contains(bug.promise()));
  }

  @Test
  void withoutFaultsNoSessionExpiresBeforeItsTimeout() {
    assertThat(cleanRuns(NamespacePlay.CALM, Set.of()))
        .containsKeys("session moved", "session expired", "reply OK");
  }
}
