package corfu.mirror;

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

/** A mirror and its source in one simulated network, whatever goes wrong in both. */
class SimulatedMirrorTest {

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
      report.operations().forEach((what, times) -> operations.merge(what, times, Integer::sum));
    }
    return operations;
  }

  @Test
  void aMirrorShowsAPrefixAndComesToTheEndWhateverHappens() {
    assertThat(cleanRuns(MirrorPlay.mirrored(), Set.of(Fault.values())))
        .containsKeys("append", "mirror", "look at the mirror", "look at a stream of the mirror");
  }

  @Test
  void aMirrorThatIsCutOffForLongerThanHistoryIsKeptGoesOnIfItIsTold() {
    assertThat(cleanRuns(MirrorPlay.mirroredFromAForgetfulSource(), Set.of(Fault.values())))
        .containsKeys("stream trim", "prefix trim", "mirror ends: CUT_OFF", "goes on across trims");
  }

  @Test
  void aMirrorIsPromotedWhileItsSourceLives() {
    assertThat(cleanRuns(MirrorPlay.promoted(), Set.of(Fault.values())))
        .containsKeys("promotion", "ownappend", "mirror ends: PROMOTED");
  }

  @Test
  void withoutFaultsEverythingSucceeds() {
    assertThat(cleanRuns(MirrorPlay.mirrored(), Set.of()).keySet())
        .filteredOn(what -> what.contains(", failed"))
        .isEmpty();
  }
}
