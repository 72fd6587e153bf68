package corfu.bench.stream;

import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.Benchmarks;
import corfu.bench.harness.OperationTimeline;
import corfu.bench.harness.PartResult;
import corfu.bench.harness.Repeater;
import corfu.bench.harness.Samples;
import corfu.bench.plot.Plot;
import corfu.bench.plot.PlotBuilder;
import corfu.protocol.Endpoint;
import corfu.protocol.StreamId;
import corfu.protocol.layout.LayoutSegment;
import corfu.runtime.Corfu;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The only stream replica is killed while one client appends to a stream and another plays it
 * (dissertation, figure 5.9). Then the stream is played by backpointers. This happens once, because
 * no server replaces the replica.
 */
final class StreamDegradedBenchmark {

  private static final String PART = "degraded";
  private static final StreamId STREAM = new StreamId(59, 9);
  private static final Duration WARM_UP = Duration.ofSeconds(3);
  private static final Duration BEFORE = Duration.ofSeconds(3);
  private static final Duration AFTER = Duration.ofSeconds(4);

  /** The time after which the effect has ended in any case. */
  private static final Duration LATER = Duration.ofSeconds(2);

  private static final Duration PLOT_PERIOD = Duration.ofMillis(50);

  private final StreamsSettings settings;
  private final BenchCluster cluster;
  private final Consumer<PartResult> results;

  StreamDegradedBenchmark(
      StreamsSettings settings, BenchCluster cluster, Consumer<PartResult> results) {
    this.settings = settings;
    this.cluster = cluster;
    this.results = results;
  }

  void run() throws Exception {
    byte[] payload = new byte[StreamAppendBenchmark.PAYLOAD_BYTES];
    try (Corfu writer = cluster.connect();
        Corfu reader = cluster.connect()) {
      LogStream stream = Streams.over(writer).open(STREAM);
      StreamReader view = Streams.over(reader).open(STREAM).reader();
      try (var appends = Repeater.start("appender", () -> stream.append(ByteBuffer.wrap(payload)));
          var plays = Repeater.start("player", () -> play(view))) {
        cluster.world().pause(WARM_UP.plus(BEFORE));
        long killed = cluster.kill(victim());
        cluster.world().pause(AFTER);
        report(appends.stop(), plays.stop(), killed);
      }
    }
  }

  private static void play(StreamReader view) {
    view.sync();
    var unused = view.readRest();
  }

  private Endpoint victim() {
    LayoutSegment open = cluster.corfu().layout().openSegment();
    return open.streamChainOf(STREAM, open.start()).tail();
  }

  private void report(OperationTimeline appends, OperationTimeline plays, long killed)
      throws IOException {
    OperationTimeline.Span noAppend = longest(appends, killed);
    OperationTimeline.Span noPlay = longest(plays, killed);
    results.accept(once("until the next append", noAppend.end() - killed));
    results.accept(once("longest sync and read", noPlay.nanos()));
    results.accept(rate("appends", "entries", appends, killed));
    results.accept(rate("syncs and reads", "syncs", plays, killed));
    plot(appends, plays, killed);
  }

  private static OperationTimeline.Span longest(OperationTimeline timeline, long killed) {
    return timeline.longest(killed, killed + AFTER.toNanos());
  }

  private static PartResult once(String what, long nanos) {
    var samples = new Samples();
    samples.add(nanos);
    return samples.times(PART, what);
  }

  private static PartResult rate(
      String what, String unit, OperationTimeline timeline, long killed) {
    double before = perSecond(timeline, killed - BEFORE.toNanos(), BEFORE);
    double after = perSecond(timeline, killed + AFTER.minus(LATER).toNanos(), LATER);
    return new PartResult.Rate(PART, what + " without the replica", unit, after, "with it", before);
  }

  private static double perSecond(OperationTimeline timeline, long from, Duration span) {
    double seconds = (double) span.toNanos() / TimeUnit.SECONDS.toNanos(1);
    return timeline.counts(from, span.toNanos(), 1)[0] / seconds;
  }

  private void plot(OperationTimeline appends, OperationTimeline plays, long killed)
      throws IOException {
    PlotBuilder curves = new PlotBuilder();
    add(curves, "appends a second", appends, killed);
    add(curves, "syncs and reads a second", plays, killed);
    Plot plot =
        curves.plot(
            "The only stream replica is killed", Plot.Across.TIME, "seconds since the kill");
    Benchmarks.show(plot, settings.plot(), results);
  }

  private static void add(
      PlotBuilder curves, String panel, OperationTimeline timeline, long killed) {
    long period = PLOT_PERIOD.toNanos();
    int periods = Math.toIntExact(BEFORE.plus(AFTER).toNanos() / period);
    long[] counts = timeline.counts(killed - BEFORE.toNanos(), period, periods);
    curves.addRates(panel, -BEFORE.toNanos() / 1e9, period / 1e9, counts);
  }
}
