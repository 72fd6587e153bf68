package corfu.bench.stream;

import corfu.bench.baseline.BaselineLatencies;
import corfu.bench.baseline.MachineLimits;
import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.Benchmarks;
import corfu.bench.harness.Finding;
import corfu.node.Supervision;
import corfu.node.local.JavaCommand;
import java.util.function.Consumer;

/**
 * What streams cost and give (dissertation, section 5.5.1): appends to them, reading them with few
 * and many others in the log, holes, a sequencer that has forgotten them, and the loss of a replica
 * of theirs. Those that are compared take turns.
 */
public final class StreamsBenchmark {

  private final StreamsSettings settings;
  private final JavaCommand java;
  private final Consumer<Finding> results;

  private StreamsBenchmark(StreamsSettings settings, JavaCommand java, Consumer<Finding> results) {
    this.settings = settings;
    this.java = java;
    this.results = results;
  }

  /**
   * Measures what the settings ask for.
   *
   * @param java how to start the program whose {@code server} command is a server
   * @param results is given each finding as soon as it is known
   */
  public static void measure(
      StreamsSettings settings, JavaCommand java, Consumer<Finding> results) {
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

  /** What backpointers and replicas of streams are compared by. */
  @FunctionalInterface
  private interface Comparison {
    void of(StreamClusters clusters, MachineLimits limits) throws Exception;
  }

  private void compare(Comparison comparison) throws Exception {
    try (var clusters = StreamClusters.start(java, settings.mode());
        var limits = MachineLimits.start(java, clusters.plain().directory());
        var machine = new BaselineLatencies(limits)) {
      machine.look();
      comparison.of(clusters, limits);
      machine.look();
      machine.report(results);
    }
  }

  /** Nobody else changes the layout. */
  private void failover() throws Exception {
    var supervision = Supervision.DEFAULT.withAgent(false);
    var shape = new BenchCluster.Shape(2, 0, 2, settings.mode(), supervision);
    try (var cluster = BenchCluster.start(java, shape)) {
      new StreamFailoverBenchmark(settings, cluster, results).run();
    }
  }

  /** Two nodes have the log, one has the streams. */
  private void degraded() throws Exception {
    var shape = new BenchCluster.Shape(3, 0, 2, 1, settings.mode(), Supervision.DEFAULT);
    try (var cluster = BenchCluster.start(java, shape)) {
      new StreamDegradedBenchmark(settings, cluster, results).run();
    }
  }

  /** As few servers as there are replicas: nothing else shall need the machine. */
  private void push() throws Exception {
    try (var one = BenchCluster.start(java, BenchCluster.Shape.of(1, 1, settings.mode()));
        var two = BenchCluster.start(java, BenchCluster.Shape.of(2, 2, settings.mode()));
        var limits = MachineLimits.start(java, one.directory())) {
      new StreamPushBenchmark(settings, one, two, limits, results).run();
    }
  }
}
