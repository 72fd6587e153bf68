package corfu.bench.harness;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Workloads that take turns, so that a disturbance of the machine affects all of them. */
public final class InterleavedRounds {

  private InterleavedRounds() {}

  /**
   * Runs each workload once to warm up, and then for a number of rounds. Closes none of them.
   *
   * @param round the length of each turn
   * @return the measurements, in the order of the workloads
   */
  public static List<Measurement> run(
      List<? extends Workload> workloads, int rounds, Duration round) throws Exception {
    for (Workload workload : workloads) {
      new Measurement().round(workload, 2 * round.toNanos());
      workload.rest();
    }
    var measured = workloads.stream().map(workload -> new Measurement()).toList();
    for (int i = 0; i < rounds; i++) {
      for (int each = 0; each < workloads.size(); each++) {
        measured.get(each).round(workloads.get(each), round.toNanos());
        workloads.get(each).rest();
      }
    }
    return measured;
  }

  /** Runs all workloads at the same time, for this long. Closes none of them. */
  public static void together(
      List<? extends Workload> workloads, List<Measurement> measured, Duration round)
      throws Exception {
    try (var threads = Executors.newFixedThreadPool(workloads.size())) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < workloads.size(); i++) {
        int each = i;
        running.add(
            threads.submit(
                () -> {
                  measured.get(each).round(workloads.get(each), round.toNanos());
                  return each;
                }));
      }
      for (Future<?> each : running) {
        each.get();
      }
    }
  }
}
