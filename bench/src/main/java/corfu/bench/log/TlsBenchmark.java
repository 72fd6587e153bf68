package corfu.bench.log;

import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.Benchmarks;
import corfu.bench.harness.ClosedLoop;
import corfu.bench.harness.InterleavedRounds;
import corfu.bench.harness.Measurement;
import corfu.bench.harness.PartResult;
import corfu.bench.harness.Workload;
import corfu.node.local.JavaCommand;
import corfu.runtime.Log;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.HdrHistogram.Recorder;

/**
 * The price of TLS: a flood of appends, and lone appends, to one cluster with mutual TLS and to one
 * without. They take turns in one run. The one without TLS is the limit of the other.
 */
public final class TlsBenchmark {

  private static final String PART = "tls";

  private final TlsBenchmarkSettings settings;
  private final JavaCommand java;
  private final Consumer<PartResult> results;

  private TlsBenchmark(
      TlsBenchmarkSettings settings, JavaCommand java, Consumer<PartResult> results) {
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
      TlsBenchmarkSettings settings, JavaCommand java, Consumer<PartResult> results) {
    Benchmarks.run(new TlsBenchmark(settings, java, results)::run);
  }

  private void run() throws Exception {
    int replicas = settings.replicas();
    var shape = BenchCluster.Shape.of(replicas, replicas, settings.mode());
    try (var plain = BenchCluster.start(java, shape);
        var secure = BenchCluster.start(java, shape.withTls())) {
      List<Workload> racers =
          List.of(
              new Appends(plain.corfu().log(), settings.sizeBytes(), settings.depth()),
              new Appends(secure.corfu().log(), settings.sizeBytes(), settings.depth()),
              new Appends(plain.corfu().log(), settings.loneBytes(), 1),
              new Appends(secure.corfu().log(), settings.loneBytes(), 1));
      List<Measurement> seen = InterleavedRounds.run(racers, settings.rounds(), settings.round());
      report(seen);
    }
  }

  private void report(List<Measurement> seen) {
    String flood =
        "flood of %,d B, %d in flight, ".formatted(settings.sizeBytes(), settings.depth());
    double open = seen.get(0).perSecond();
    results.accept(
        new PartResult.Rate(
            PART, flood + "with TLS", "appends", seen.get(1).perSecond(), "without TLS", open));
    String lone = "lone append of %,d B, ".formatted(settings.loneBytes());
    Measurement without = seen.get(2);
    results.accept(without.times(PART, lone + "without TLS", OptionalDouble.empty()));
    results.accept(
        seen.get(3).times(PART, lone + "with TLS", OptionalDouble.of(without.millis(50))));
  }

  /** Trims its entries between rounds. Otherwise a long run would fill disk and memory. */
  private record Appends(Log log, ClosedLoop loop) implements Workload {

    Appends(Log log, int bytes, int depth) {
      this(log, new ClosedLoop(1, depth, request(log, new byte[bytes])));
    }

    private static ClosedLoop.Request request(Log log, byte[] payload) {
      return new ClosedLoop.Request() {
        @Override
        public void await() {
          log.append(payload);
        }

        @Override
        public CompletableFuture<?> start() {
          return log.appendAsync(ByteBuffer.wrap(payload));
        }
      };
    }

    @Override
    public long run(long nanos, Recorder latencies) throws Exception {
      return loop.run(nanos, latencies);
    }

    @Override
    public void rest() {
      log.prefixTrim(log.tail());
    }
  }
}
