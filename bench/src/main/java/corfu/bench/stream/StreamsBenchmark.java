package corfu.bench.stream;

import corfu.bench.baseline.BaselineLatencies;
import corfu.bench.baseline.MachineLimits;
import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.Benchmarks;
import corfu.bench.harness.PartResult;
import corfu.node.Supervision;
import corfu.node.local.JavaCommand;
import java.util.function.Consumer;

/**
 * The cost of streams (dissertation, section 5.5.1). The parts are appends, reads with few and many
 * other streams, holes, a sequencer without state, and the loss of a stream replica. Workloads take
 * turns.
 */
public final class StreamsBenchmark {

  private final StreamsSettings settings;
  private final JavaCommand java;
  private final Consumer<PartResult> results;

  private StreamsBenchmark(
      StreamsSettings settings, JavaCommand java, Consumer<PartResult> results) {
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
      StreamsSettings settings, JavaCommand java, Consumer<PartResult> results) {
    Benchmarks.run(new StreamsBenchmark(settings, java, results)::run);
  }

  private void run() throws Exception {
    for (var part : StreamsSettings.Part.values()) {
      if (settings.has(part)) {
        run(part);
      }
    }
  }

  private void run(StreamsSettings.Part part) throws Exception {
    switch (part) {
      case APPEND ->
          compare(
              (clusters, limits) ->
                  new StreamAppendBenchmark(settings, clusters, limits, results).run());
      case READ ->
          compare(
              (clusters, limits) ->
                  new StreamReadBenchmark(settings, clusters, limits, results).run());
      case HOLE ->
          compare((clusters, limits) -> new StreamHoleBenchmark(settings, clusters, results).run());
      case FAILOVER -> failover();
      case DEGRADED -> degraded();
      case PUSH -> push();
    }
  }

  /** A comparison of backpointers and stream replicas. */
  @FunctionalInterface
  private interface Comparison {
    void of(StreamClusters clusters, MachineLimits limits) throws Exception;
  }

  private void compare(Comparison comparison) throws Exception {
    try (var clusters = StreamClusters.start(java, settings.mode());
        var limits = MachineLimits.start(java, clusters.plain().directory());
        var machine = new BaselineLatencies(limits, settings.round())) {
      machine.look();
      comparison.of(clusters, limits);
      machine.look();
      machine.report(results);
    }
  }

  /** Measures the failover of a sequencer. No agent changes the layout. */
  private void failover() throws Exception {
    var supervision = Supervision.DEFAULT.withAgent(false);
    var shape = new BenchCluster.Shape(2, 0, 2, settings.mode(), supervision);
    try (var cluster = BenchCluster.start(java, shape)) {
      new StreamFailoverBenchmark(settings, cluster, results).run();
    }
  }

  /**
   * Measures the loss of the only stream replica. Two nodes have the log, and one has the streams.
   */
  private void degraded() throws Exception {
    var shape = new BenchCluster.Shape(3, 0, 2, 1, settings.mode(), Supervision.DEFAULT);
    try (var cluster = BenchCluster.start(java, shape)) {
      new StreamDegradedBenchmark(settings, cluster, results).run();
    }
  }

  /** Measures pushes with as few servers as replicas, so that nothing else needs the machine. */
  private void push() throws Exception {
    try (var one = BenchCluster.start(java, BenchCluster.Shape.of(1, 1, settings.mode()));
        var two = BenchCluster.start(java, BenchCluster.Shape.of(2, 2, settings.mode()));
        var limits = MachineLimits.start(java, one.directory())) {
      new StreamPushBenchmark(settings, one, two, limits, results).run();
    }
  }
}
