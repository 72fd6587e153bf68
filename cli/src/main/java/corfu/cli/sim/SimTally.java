package corfu.cli.sim;

import corfu.sim.SimulationReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The summed results of several simulations. Thread-safe. */
final class SimTally {

  private final Map<String, Long> operations = new TreeMap<>();
  private final Map<String, Long> faults = new TreeMap<>();
  private final Map<String, Long> reached = new TreeMap<>();
  private final List<Long> failedSeeds = new ArrayList<>();
  private Duration simulated = Duration.ZERO;
  private long events;
  private long runs;

  synchronized void add(SimulationReport report) {
    runs++;
    events += report.events();
    simulated = simulated.plus(report.simulated());
    report.operations().forEach((kind, times) -> operations.merge(kind, (long) times, Long::sum));
    report.faults().forEach((fault, times) -> faults.merge(fault.text(), (long) times, Long::sum));
    report
        .reached()
        .forEach(
            (point, times) ->
                reached.merge(
                    point,
                    (long) times,
                    point.equals(SimulationReport.LONGEST_OUTAGE) ? Math::max : Long::sum));
    if (!report.isClean()) {
      failedSeeds.add(report.seed());
    }
  }

  synchronized long runs() {
    return runs;
  }

  synchronized int failed() {
    return failedSeeds.size();
  }

  synchronized List<Long> failedSeeds() {
    return List.copyOf(failedSeeds);
  }

  synchronized Duration simulated() {
    return simulated;
  }

  synchronized long events() {
    return events;
  }

  synchronized Map<String, Long> operations() {
    return new TreeMap<>(operations);
  }

  synchronized Map<String, Long> faults() {
    return new TreeMap<>(faults);
  }

  synchronized Map<String, Long> reached() {
    return new TreeMap<>(reached);
  }

  /** Returns the sum of counts. */
  static long sum(Map<String, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns a time in words. */
  static String words(Duration time) {
    long seconds = time.toSeconds();
    return seconds < 120
        ? "%.1f s".formatted(time.toMillis() / 1000.0)
        : "%d h %02d min %02d s".formatted(seconds / 3600, seconds / 60 % 60, seconds % 60);
  }
}
