package corfu.bench.harness;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Several that do the same in different ways take turns, so that a disturbed moment meets all. */
public final class InterleavedRounds {

  private InterleavedRounds() {}

  /**
   * Runs each once to warm up, then each for as many rounds. Closes none.
   *
   * @param round how long each runs in a round
   * @return what was seen of each, in their order
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

  /** Runs all of them at the same time, as long as this. Closes none. */
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
