package corfu.bench.object;

import corfu.bench.baseline.BaselineLatencies;
import corfu.bench.baseline.MachineLimits;
import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.Benchmarks;
import corfu.bench.harness.PartResult;
import corfu.node.local.JavaCommand;
import java.util.function.Consumer;

/**
 * The cost of replicated objects (dissertation, figure 5.15): changes and linearizable reads of a
 * map, transactions, and the time until a new view is open. Workloads take turns.
 */
public final class ObjectsBenchmark {

  private final ObjectsSettings settings;
  private final JavaCommand java;
  private final Consumer<PartResult> results;

  private ObjectsBenchmark(
      ObjectsSettings settings, JavaCommand java, Consumer<PartResult> results) {
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
      ObjectsSettings settings, JavaCommand java, Consumer<PartResult> results) {
    Benchmarks.run(new ObjectsBenchmark(settings, java, results)::run);
  }

  private void run() throws Exception {
    for (var part : ObjectsSettings.Part.values()) {
      if (settings.has(part)) {
        onItsOwnCluster(part);
      }
    }
  }

  private void onItsOwnCluster(ObjectsSettings.Part part) throws Exception {
    int replicas = settings.replicas();
    var shape = BenchCluster.Shape.of(replicas, replicas, settings.mode());
    try (var cluster = BenchCluster.start(java, shape);
        var limits = MachineLimits.start(java, cluster.directory());
        var machine = new BaselineLatencies(limits, settings.round())) {
      machine.look();
      switch (part) {
        case MAP -> new ObjectMapBenchmark(settings, cluster, limits, results).run();
        case TRANSACT -> new ObjectTransactionBenchmark(settings, cluster, results).run();
        case PLAY -> new ObjectPlayBenchmark(settings, cluster, results).run();
        case COMPOSED -> new ObjectComposedBenchmark(settings, cluster, results).run();
        case INLOG -> new ObjectInLogBenchmark(settings, cluster, results).run();
        case OPEN -> new ObjectOpenBenchmark(settings, cluster, limits, results).run();
      }
      machine.look();
      machine.report(results);
    }
  }
}
