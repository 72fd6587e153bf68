package corfu.bench.service;

import corfu.bench.baseline.BaselineLatencies;
import corfu.bench.baseline.MachineLimits;
import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.Benchmarks;
import corfu.bench.harness.PartResult;
import corfu.node.local.JavaCommand;
import java.util.function.Consumer;

/**
 * The services over the log: the store's changes and reads of several keys (CORFU, figure 9), state
 * machine replication (figure 10), and mirroring.
 */
public final class ServicesBenchmark {

  private final ServicesSettings settings;
  private final JavaCommand java;
  private final Consumer<PartResult> results;

  private ServicesBenchmark(
      ServicesSettings settings, JavaCommand java, Consumer<PartResult> results) {
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
      ServicesSettings settings, JavaCommand java, Consumer<PartResult> results) {
    Benchmarks.run(new ServicesBenchmark(settings, java, results)::run);
  }

  private void run() throws Exception {
    for (var part : ServicesSettings.Part.values()) {
      if (settings.has(part)) {
        onItsOwnCluster(part);
      }
    }
  }

  private BenchCluster cluster() {
    return BenchCluster.start(
        java, BenchCluster.Shape.of(settings.copies(), settings.copies(), settings.mode()));
  }

  private void onItsOwnCluster(ServicesSettings.Part part) throws Exception {
    try (var cluster = cluster();
        var limits = MachineLimits.start(java, cluster.directory());
        var machine = new BaselineLatencies(limits, settings.round())) {
      machine.look();
      switch (part) {
        case PUTS -> new StoreBenchmark(settings, cluster, results).put();
        case GETS -> new StoreBenchmark(settings, cluster, results).get();
        case SMR -> new SmrBenchmark(settings, cluster, results).run();
        case MIRROR -> mirror(cluster);
      }
      machine.look();
      machine.report(results);
    }
  }

  private void mirror(BenchCluster source) throws Exception {
    try (var target = cluster()) {
      new MirrorBenchmark(settings, source, target, results).run();
    }
  }
}
