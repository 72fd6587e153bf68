package corfu.bench.reconfigure;

import corfu.bench.baseline.BaselineLatencies;
import corfu.bench.baseline.MachineLimits;
import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.Benchmarks;
import corfu.bench.harness.PartResult;
import corfu.node.Supervision;
import corfu.node.local.JavaCommand;
import corfu.roles.logunit.options.UnitMode;
import java.util.List;
import java.util.function.Consumer;

/**
 * The time without appends when the layout changes: step by step, and after failures. Also the
 * costs of rebuild, scrubbing and fills of holes.
 */
public final class ReconfigureBenchmark {

  private static final int LOG_UNITS = 8;
  private static final int REPLICAS = 2;
  private static final int REBUILD_NODES = 3;

  private final ReconfigureSettings settings;
  private final JavaCommand java;
  private final Consumer<PartResult> results;

  private ReconfigureBenchmark(
      ReconfigureSettings settings, JavaCommand java, Consumer<PartResult> results) {
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
      ReconfigureSettings settings, JavaCommand java, Consumer<PartResult> results) {
    Benchmarks.run(new ReconfigureBenchmark(settings, java, results)::run);
  }

  private void run() throws Exception {
    if (settings.has(ReconfigureSettings.Part.STAGES)) {
      stages();
    }
    if (settings.has(ReconfigureSettings.Part.FAILURES)) {
      failures();
    }
    if (settings.has(ReconfigureSettings.Part.REBUILD)) {
      rebuild();
    }
    if (settings.has(ReconfigureSettings.Part.SCRUB)) {
      new ScrubBenchmark(settings.copies(), settings.round(), java, results).run();
    }
    if (settings.has(ReconfigureSettings.Part.FILL)) {
      fill();
    }
  }

  /** Measures the stages. No agent changes the layout. */
  private void stages() throws Exception {
    var shape =
        new BenchCluster.Shape(
            LOG_UNITS, 0, REPLICAS, UnitMode.DURABLE, Supervision.DEFAULT.withAgent(false));
    try (var cluster = BenchCluster.start(java, shape);
        var limits = MachineLimits.start(java, cluster.directory());
        var machine = new BaselineLatencies(limits, settings.round())) {
      new StagesBenchmark(settings, cluster, machine, results).run();
      machine.report(results);
    }
  }

  /** Measures failures, with one more node as the spare. */
  private void failures() throws Exception {
    var shape =
        new BenchCluster.Shape(
            LOG_UNITS + 1, 1, REPLICAS, UnitMode.DURABLE, FailuresBenchmark.SUPERVISION);
    try (var cluster = BenchCluster.start(java, shape)) {
      new FailuresBenchmark(settings, cluster, java, results).run();
    }
  }

  private void rebuild() throws Exception {
    var shape =
        new BenchCluster.Shape(
            REBUILD_NODES, 1, REPLICAS, UnitMode.DURABLE, Supervision.DEFAULT.withAgent(false));
    try (var cluster = BenchCluster.start(java, shape);
        var transport = cluster.openTransport()) {
      new RebuildBenchmark(settings, cluster, transport, results).run();
    }
  }

  private void fill() throws Exception {
    for (UnitMode mode : List.of(UnitMode.MEMORY, UnitMode.DURABLE)) {
      var shape = BenchCluster.Shape.of(REPLICAS, REPLICAS, mode);
      try (var cluster = BenchCluster.start(java, shape);
          var limits = MachineLimits.start(java, cluster.directory());
          var machine = new BaselineLatencies(limits, settings.round())) {
        new HoleFillBenchmark(settings.fills(), mode, cluster, machine, results).run();
        machine.report(results);
      }
    }
  }
}
