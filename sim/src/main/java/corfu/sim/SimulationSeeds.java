package corfu.sim;

import corfu.sim.application.Application;
import corfu.sim.fault.Fault;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The seeds that a test of an application runs. Immutable.
 *
 * <p>{@code -Dcorfu.sim.seeds=500} runs more of them, and {@code -Dcorfu.sim.first=1000} begins at
 * another one.
 *
 * @param first the first seed
 * @param count the number of seeds, 1 or more
 */
public record SimulationSeeds(long first, long count) {

  /**
   * Returns the seeds of a test.
   *
   * @param usual their number, unless the system properties say otherwise
   */
  public static SimulationSeeds ofTest(long usual) {
    return new SimulationSeeds(
        Long.getLong("corfu.sim.first", 1), Long.getLong("corfu.sim.seeds", usual));
  }

  /**
   * Runs an application on all seeds.
   *
   * @return the operations of all runs, and how often each occurred
   * @throws AssertionError if a run breaks a promise; its message has all that helps to find the
   *     cause
   */
  public Map<String, Integer> clean(Application application, Set<Fault> faults) {
    Map<String, Integer> operations = new TreeMap<>();
    SimulationOptions options =
        SimulationOptions.DEFAULT.withApplication(application).withFaults(faults);
    for (long seed = first; seed < first + count; seed++) {
      SimulationReport report = Simulation.run(seed, options);
      if (!report.violations().isEmpty()) {
        throw new AssertionError(report.explain());
      }
      report.operations().forEach((what, times) -> operations.merge(what, times, Integer::sum));
    }
    return operations;
  }
}
