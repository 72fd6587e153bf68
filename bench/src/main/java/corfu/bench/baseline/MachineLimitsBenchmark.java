package corfu.bench.baseline;

import corfu.bench.harness.BenchSettings;
import corfu.bench.harness.Figure;
import corfu.bench.harness.MachineLimit;
import corfu.bench.harness.Measurement;
import corfu.bench.harness.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Measures the machine's limits alone. */
public final class MachineLimitsBenchmark {

  private final BenchSettings settings;
  private final MachineLimits limits;
  private final Consumer<Figure> results;

  public MachineLimitsBenchmark(
      BenchSettings settings, MachineLimits limits, Consumer<Figure> results) {
    this.settings = settings;
    this.limits = limits;
    this.results = results;
  }

  public void run() throws Exception {
    for (int size : settings.sizes()) {
      int entryBytes = FrameSizes.stored(size);
      settings.eachLoad(
          (clients, depth) -> {
            int inFlight = clients * depth;
            measure(
                scenario("limits/echo", size, clients, depth),
                limits.echo(FrameSizes.append(size), inFlight));
            measure(
                scenario("limits/fdatasync", size, clients, depth),
                limits.syncedWrites(entryBytes, inFlight));
          });
      measure(scenario("limits/sequential", size, 1, 1), limits.sequentialWrites(entryBytes));
    }
  }

  private static Scenario scenario(String name, int size, int clients, int depth) {
    return new Scenario(name, size, clients, depth, "", 0);
  }

  private void measure(Scenario scenario, MachineLimit limit) throws Exception {
    try (var workload = limit.workload()) {
      new Measurement().round(workload, settings.warmup().toNanos());
      var measured = new Measurement();
      measured.round(workload, settings.duration().toNanos());
      double rate = measured.perSecond();
      results.accept(
          new Figure(
              scenario,
              rate,
              measured.micros(50),
              measured.micros(99),
              measured.micros(99.9),
              List.of(new Figure.Reached(limit.name(), rate, measured.micros(50))),
              Duration.ZERO,
              Duration.ZERO));
    }
  }
}
