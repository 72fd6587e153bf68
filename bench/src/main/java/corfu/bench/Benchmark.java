package corfu.bench;

import corfu.bench.baseline.MachineLimits;
import corfu.bench.baseline.MachineLimitsBenchmark;
import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.BenchSettings;
import corfu.bench.harness.Benchmarks;
import corfu.bench.harness.Figure;
import corfu.bench.log.AppendBenchmark;
import corfu.bench.log.CompressedReadBenchmark;
import corfu.bench.log.PartReadBenchmark;
import corfu.bench.log.ReadBenchmark;
import corfu.bench.log.TokensBenchmark;
import corfu.node.local.JavaCommand;
import corfu.node.local.TemporaryDirectory;
import java.util.function.Consumer;

/** The benchmarks by name. */
public enum Benchmark {
  /** The machine's limits: an echo over loopback, synced writes, a stream of writes. */
  LIMITS {
    @Override
    void run(BenchSettings settings, JavaCommand java, Consumer<Figure> results) throws Exception {
      try (var directory = TemporaryDirectory.create("corfu-bench-");
          var limits = MachineLimits.start(java, directory.path())) {
        new MachineLimitsBenchmark(settings, limits, results).run();
      }
    }
  },

  /** The rate of tokens from the sequencer. */
  TOKENS {
    @Override
    void run(BenchSettings settings, JavaCommand java, Consumer<Figure> results) throws Exception {
      try (var cluster = BenchCluster.start(java, settings);
          var limits = MachineLimits.start(java, cluster.directory())) {
        new TokensBenchmark(settings, cluster, limits, results).run();
      }
    }
  },

  /** The rate of appends to all replicas of an entry. */
  APPEND {
    @Override
    void run(BenchSettings settings, JavaCommand java, Consumer<Figure> results) throws Exception {
      try (var cluster = BenchCluster.start(java, settings);
          var limits = MachineLimits.start(java, cluster.directory())) {
        new AppendBenchmark(settings, cluster, limits, results).run();
      }
    }
  },

  /** The rate of reads: in bulk, at random addresses, of parts, of compressed entries. */
  READ {
    @Override
    void run(BenchSettings settings, JavaCommand java, Consumer<Figure> results) throws Exception {
      try (var cluster = BenchCluster.start(java, settings);
          var limits = MachineLimits.start(java, cluster.directory())) {
        new ReadBenchmark(settings, cluster, limits, results).run();
        new PartReadBenchmark(settings, cluster, results).run();
        new CompressedReadBenchmark(settings, cluster, results).run();
      }
    }
  };

  /**
   * Measures every combination of the settings.
   *
   * @param java starts the program whose {@code server} command runs a server
   * @param results receives each figure as soon as it is known
   */
  public void measure(BenchSettings settings, JavaCommand java, Consumer<Figure> results) {
    Benchmarks.run(() -> run(settings, java, results));
  }

  abstract void run(BenchSettings settings, JavaCommand java, Consumer<Figure> results)
      throws Exception;
}
