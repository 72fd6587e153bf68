package corfu.bench.log;

import corfu.bench.baseline.FrameSizes;
import corfu.bench.baseline.MachineLimits;
import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.Benchmarks;
import corfu.bench.harness.ClosedLoop;
import corfu.bench.harness.MachineLimit;
import corfu.bench.harness.Measurement;
import corfu.bench.harness.OpenLoop;
import corfu.bench.harness.PartResult;
import corfu.bench.plot.Plot;
import corfu.bench.plot.PlotBuilder;
import corfu.node.local.JavaCommand;
import corfu.runtime.Log;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Throughput and latency against offered load, from a part of the cluster's capacity to several
 * times as much. Beyond capacity the throughput should stay, the latency should have a bound, and
 * memory should not grow.
 */
public final class OverloadBenchmark {

  private static final String PART = "load";
  private static final int DEPTH = 1024;
  private static final double MEBI = 1 << 20;
  private static final String ACKNOWLEDGED = "acknowledged appends a second";
  private static final String LATENCY = "latency, ms";
  private static final String RESIDENT = "resident memory of all servers, MiB";

  private final OverloadSettings settings;
  private final JavaCommand java;
  private final Consumer<PartResult> results;
  private final PlotBuilder curves = new PlotBuilder();

  private OverloadBenchmark(
      OverloadSettings settings, JavaCommand java, Consumer<PartResult> results) {
    this.settings = settings;
    this.java = java;
    this.results = results;
  }

  /**
   * Runs the benchmark with these settings.
   *
   * @param java starts the program whose {@code server} command runs a server
   * @param results receives each finding as soon as it is known
   */
  public static void measure(
      OverloadSettings settings, JavaCommand java, Consumer<PartResult> results) {
    Benchmarks.run(new OverloadBenchmark(settings, java, results)::run);
  }

  private void run() throws Exception {
    int replicas = settings.replicas();
    var shape = BenchCluster.Shape.of(replicas, replicas, settings.mode());
    try (var cluster = BenchCluster.start(java, shape);
        var limits = MachineLimits.start(java, cluster.directory())) {
      Log log = cluster.corfu().log();
      double capacity = capacity(log, limits);
      for (double load : settings.loads()) {
        offer(cluster, log, load, capacity);
      }
    }
    Benchmarks.show(plot(), settings.plot(), results);
  }

  /** Returns the appends per second of a flood, beside the echo. */
  private double capacity(Log log, MachineLimits limits) throws Exception {
    byte[] payload = new byte[settings.sizeBytes()];
    var flood =
        new ClosedLoop(
            1,
            DEPTH,
            new ClosedLoop.Request() {
              @Override
              public void await() {
                log.append(payload);
              }

              @Override
              public CompletableFuture<?> start() {
                return log.appendAsync(ByteBuffer.wrap(payload));
              }
            });
    new Measurement().round(flood, settings.warmup().toNanos());
    MachineLimit echo = limits.echo(FrameSizes.append(settings.sizeBytes()), DEPTH);
    Measurement ours = new Measurement();
    Measurement echoes = new Measurement();
    try (var best = echo.workload()) {
      for (int i = 0; i < 3; i++) {
        ours.round(flood, settings.round().toNanos() / 3);
        echoes.round(best, settings.round().toNanos() / 6);
      }
    }
    log.prefixTrim(log.tail());
    results.accept(
        new PartResult.Rate(
            "capacity",
            "%,d B, %s, %d copies, flood of %d"
                .formatted(
                    settings.sizeBytes(), settings.mode().text(), settings.replicas(), DEPTH),
            "appends",
            ours.perSecond(),
            echo.name(),
            echoes.perSecond()));
    return ours.perSecond();
  }

  private void offer(BenchCluster cluster, Log log, double load, double capacity) {
    Supplier<CompletableFuture<?>> append =
        () -> log.appendAsync(ByteBuffer.allocate(settings.sizeBytes()));
    var loop = new OpenLoop(cluster.world(), append);
    double offered = load * capacity;
    var outcome = loop.run(offered, settings.round());
    double resident = cluster.residentBytes() / MEBI;
    log.prefixTrim(log.tail());
    results.accept(
        new PartResult.Values(
            PART,
            "%.2f of capacity offered".formatted(load),
            List.of(
                new PartResult.Value("load", load),
                new PartResult.Value("offeredPerSecond", offered),
                new PartResult.Value("perSecond", outcome.donePerSecond()),
                new PartResult.Value("ofCapacity", outcome.donePerSecond() / capacity),
                new PartResult.Value("turnedAway", outcome.turnedAway()),
                new PartResult.Value("failed", outcome.failed()),
                new PartResult.Value("p50Millis", outcome.millis(50)),
                new PartResult.Value("p99Millis", outcome.millis(99)),
                new PartResult.Value("maxMillis", outcome.millis(100)),
                new PartResult.Value("serversResidentMiB", resident))));
    curves.add(ACKNOWLEDGED, ACKNOWLEDGED, load, outcome.donePerSecond());
    curves.add(LATENCY, "median", load, outcome.millis(50));
    curves.add(LATENCY, "99th percentile", load, outcome.millis(99));
    curves.add(RESIDENT, RESIDENT, load, resident);
  }

  private Plot plot() {
    String title =
        "Open-loop appends of %,d B, %s, %d copies"
            .formatted(settings.sizeBytes(), settings.mode().text(), settings.replicas());
    return curves.plot(title, Plot.Across.SETTING, "offered load, in parts of the rate of a flood");
  }
}
