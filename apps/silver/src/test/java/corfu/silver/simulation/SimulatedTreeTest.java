package corfu.silver.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.sim.Simulation;
import corfu.sim.SimulationOptions;
import corfu.sim.SimulationSeeds;
import corfu.sim.fault.Fault;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients of a file system in simulated clusters, whatever goes wrong there. */
class SimulatedTreeTest {

  private static final SimulationSeeds SEEDS = SimulationSeeds.ofTest(16);

  @Test
  void clientsSeeOneFileSystemWhateverHappens() {
    assertThat(SEEDS.clean(TreePlay.APPLICATION, Set.of(Fault.values())))
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
            "set a quota",
            "set permissions OK",
            "tree copy",
            "checkpoint",
            "checkpoint, killed",
            "clone",
            "clone removed",
            "look at a clone",
            "version forgotten",
            "alone");
  }

  @Test
  void withoutFaultsEverythingSucceeds() {
    assertThat(SEEDS.clean(TreePlay.APPLICATION, Set.of()).keySet())
        .filteredOn(what -> what.contains(", failed") || what.contains("unknown"))
        .isEmpty();
  }

  /** Otherwise a clean run would tell nothing. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void aPlantedBugIsReported(TreePlay.PlantedBug bug) {
    SimulationOptions options =
        SimulationOptions.DEFAULT.withApplication(TreePlay.with(bug)).withFaults(Set.of());
    assertThat(
            LongStream.rangeClosed(1, 6)
                .mapToObj(seed -> Simulation.run(seed, options).violations())
                .flatMap(List::stream))
        .as("violations with %s", bug)
        .anySatisfy(
            violation -> assertThat(violation).containsAnyOf("not linearizable", " is gone"));
  }
}
