package corfu.zookeeper.simulation;

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

/** Translation servers and their clients in simulated clusters, whatever goes wrong there. */
class SimulatedNamespaceTest {

  private static final SimulationSeeds SEEDS = SimulationSeeds.ofTest(3);

  @Test
  void clientsSeeOneNamespaceWhateverHappens() {
    assertThat(SEEDS.clean(NamespacePlay.APPLICATION, Set.of(Fault.values())))
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
    assertThat(SEEDS.clean(NamespacePlay.CALM, Set.of()))
        .containsKeys("session moved", "session expired", "reply OK");
  }
}
