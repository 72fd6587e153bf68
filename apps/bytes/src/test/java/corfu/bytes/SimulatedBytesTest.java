package corfu.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.sim.Simulation;
import corfu.sim.SimulationOptions;
import corfu.sim.SimulationReport;
import corfu.sim.fault.Fault;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Byte arrays in simulated clusters, whatever goes wrong there. */
class SimulatedBytesTest {

  /** More of them: {@code -Dcorfu.sim.seeds=500}, from another one on: {@code corfu.sim.first}. */
  private static final long SEEDS = Long.getLong("corfu.sim.seeds", 8);

  private static final long FIRST = Long.getLong("corfu.sim.first", 1);

  private static SimulationReport run(long seed, BytesPlay.Bug bug, Set<Fault> faults) {
    return Simulation.run(
        seed,
        SimulationOptions.DEFAULT.withApplication(BytesPlay.application(bug)).withFaults(faults));
  }

  private static Map<String, Integer> cleanRuns(Set<Fault> faults) {
    Map<String, Integer> operations = new TreeMap<>();
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      SimulationReport report = run(seed, BytesPlay.Bug.NONE, faults);
      assertThat(report.violations()).as(report::explain).isEmpty();
      report.operations().forEach((what, times) -> operations.merge(what, times, Integer::sum));
    }
    return operations;
  }

  @Test
  void everyVersionIsWhatTheOrderOfTheLogSaysWhateverHappens() {
    assertThat(cleanRuns(Set.of(Fault.values())))
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
            "read",
            "look at the past");
  }

  @Test
  void withoutFaultsEverythingSucceeds() {
    assertThat(cleanRuns(Set.of()).keySet())
        .filteredOn(what -> what.contains(", failed") || what.contains("unknown"))
        .isEmpty();
  }

  @Test
  void staleReadsAreReported() {
    assertThat(run(FIRST, BytesPlay.Bug.STALE_ENDS, Set.of()).violations().toString())
        .contains("Linearizable");
  }

  @Test
  void aVersionThatIsTakenForAnotherOneIsReported() {
    assertThat(run(FIRST, BytesPlay.Bug.WRONG_VERSION, Set.of()).violations().toString())
        .contains("Bytes");
  }
}
