package corfu.bench.stream;

import corfu.bench.baseline.FrameSizes;
import corfu.bench.baseline.MachineLimits;
import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.ClosedLoop;
import corfu.bench.harness.InterleavedRounds;
import corfu.bench.harness.MachineLimit;
import corfu.bench.harness.Measurement;
import corfu.bench.harness.PartResult;
import corfu.bench.harness.Workload;
import corfu.protocol.StreamId;
import corfu.runtime.Log;
import corfu.runtime.stream.Streams;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.HdrHistogram.Recorder;

/**
 * Appends to one stream and to several at once: without streams, with backpointers, and with stream
 * replicas (dissertation, figure 5.6).
 */
final class StreamAppendBenchmark {

  static final int PAYLOAD_BYTES = 32;

  private static final String PART = "append";
  private static final List<Integer> STREAMS_AN_ENTRY = List.of(1, 2, 4, 8);
  private static final List<Integer> DEPTHS = List.of(1, 1024);
  private static final int STREAMS = 1024;
  private static final long FAMILY = 56;
  private static final double MICRO = 1e3;

  private final StreamsSettings settings;
  private final StreamClusters clusters;
  private final MachineLimits limits;
  private final Consumer<PartResult> results;

  StreamAppendBenchmark(
      StreamsSettings settings,
      StreamClusters clusters,
      MachineLimits limits,
      Consumer<PartResult> results) {
    this.settings = settings;
    this.clusters = clusters;
    this.limits = limits;
    this.results = results;
  }

  void run() throws Exception {
    for (int depth : DEPTHS) {
      for (int streams : STREAMS_AN_ENTRY) {
        measure(streams, depth);
      }
    }
  }

  private void measure(int streams, int depth) throws Exception {
    MachineLimit echo = limits.echo(FrameSizes.append(PAYLOAD_BYTES, streams), depth);
    try (var best = echo.workload()) {
      var racers =
          List.of(
              appends(clusters.plain(), 0, depth),
              appends(clusters.plain(), streams, depth),
              appends(clusters.replicated(), streams, depth),
              best);
      List<Measurement> seen = InterleavedRounds.run(racers, settings.rounds(), settings.round());
      report(streams, depth, echo.name(), seen);
    }
  }

  private void report(int streams, int depth, String echo, List<Measurement> seen) {
    String to = streams == 1 ? "1 stream" : streams + " streams";
    String load = depth == 1 ? "lone" : "%,d in flight".formatted(depth);
    List<String> names =
        List.of(
            "no stream, " + load,
            "backpointers, %s, %s".formatted(to, load),
            "stream replicas, %s, %s".formatted(to, load));
    if (depth == 1) {
      var best = OptionalDouble.of(seen.get(3).micros(50) / MICRO);
      for (int i = 0; i < names.size(); i++) {
        results.accept(seen.get(i).times(PART, names.get(i), best));
      }
    }
    results.accept(rate(names.get(0), seen.get(0), echo, seen.get(3)));
    results.accept(rate(names.get(1), seen.get(1), "no stream", seen.get(0)));
    results.accept(rate(names.get(2), seen.get(2), "no stream", seen.get(0)));
    results.accept(rate(names.get(2), seen.get(2), "backpointers", seen.get(1)));
  }

  private static PartResult rate(String what, Measurement ours, String limit, Measurement other) {
    return new PartResult.Rate(PART, what, "entries", ours.perSecond(), limit, other.perSecond());
  }

  /** Trims its entries between rounds. Otherwise a long run would fill disk and memory. */
  private static Workload appends(BenchCluster cluster, int streams, int depth) {
    Log log = cluster.corfu().log();
    var request = new Appends(Streams.over(cluster.corfu()), log, streams, new AtomicInteger());
    var loop = new ClosedLoop(1, depth, request);
    return new Workload() {
      @Override
      public long run(long nanos, Recorder latencies) throws Exception {
        return loop.run(nanos, latencies);
      }

      @Override
      public void rest() {
        log.prefixTrim(log.tail());
      }
    };
  }

  /** Appends to this many of all streams, in turn. */
  private record Appends(Streams all, Log log, int streams, AtomicInteger turn)
      implements ClosedLoop.Request {

    @Override
    public void await() {
      if (streams == 0) {
        log.append(new byte[PAYLOAD_BYTES]);
      } else {
        all.append(next(), ByteBuffer.allocate(PAYLOAD_BYTES));
      }
    }

    @Override
    public CompletableFuture<?> start() {
      ByteBuffer payload = ByteBuffer.allocate(PAYLOAD_BYTES);
      return streams == 0 ? log.appendAsync(payload) : all.appendAsync(next(), payload);
    }

    private List<StreamId> next() {
      int first = turn.getAndAdd(streams);
      return IntStream.range(first, first + streams)
          .mapToObj(i -> new StreamId(FAMILY, Math.floorMod(i, STREAMS)))
          .toList();
    }
  }
}
