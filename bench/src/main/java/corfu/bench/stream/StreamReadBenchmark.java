package corfu.bench.stream;

import corfu.bench.baseline.Echo;
import corfu.bench.baseline.FrameSizes;
import corfu.bench.baseline.MachineLimits;
import corfu.bench.harness.ClosedLoop;
import corfu.bench.harness.InterleavedRounds;
import corfu.bench.harness.MachineLimit;
import corfu.bench.harness.Measurement;
import corfu.bench.harness.PartResult;
import corfu.bench.harness.Workload;
import corfu.bench.log.ReadBenchmark;
import corfu.runtime.Log;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * A new reader reads whole streams, with few and many others in the log (dissertation, figure 5.7).
 * It also reads long streams of large entries, beside the machine's bandwidth.
 */
final class StreamReadBenchmark {

  private static final String PART = "read";

  private static final int MOST_ENTRIES_EACH = 10_000;
  private static final int FEWEST_ENTRIES_EACH = 4;
  private static final int MOST_OF_A_PIECE = 8192;

  private static final int BULK_STREAMS = 4;
  private static final int MOST_BULK_ENTRIES_EACH = 8192;
  private static final int BULK_BYTES = 4096;
  private static final int BULK_PIECE = 1 << 20;
  private static final int BULK_REQUEST = 64;
  private static final int BULK_DEPTH = 4;
  private static final double MIB = 1 << 20;
  private static final double MICRO = 1e3;

  private final StreamsSettings settings;
  private final StreamClusters clusters;
  private final MachineLimits limits;
  private final Consumer<PartResult> results;

  StreamReadBenchmark(
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
    for (int streams : settings.streams()) {
      small(streams);
    }
    bulk();
  }

  private List<StreamLoad> load(int streams, int bytes, int entriesEach) throws Exception {
    List<StreamLoad> loads = new ArrayList<>();
    for (StreamClusters.Kind kind : clusters.both()) {
      var load = new StreamLoad(kind.cluster(), ((long) bytes << 32) + streams, streams, bytes);
      load.append(entriesEach);
      loads.add(load);
    }
    return loads;
  }

  private void small(int streams) throws Exception {
    int each = Math.clamp(settings.entries() / streams, FEWEST_ENTRIES_EACH, MOST_ENTRIES_EACH);
    int bytes = StreamAppendBenchmark.PAYLOAD_BYTES;
    List<StreamLoad> loads = load(streams, bytes, each);
    MachineLimit echo =
        limits.echo(FrameSizes.readStream(bytes, Math.min(each, MOST_OF_A_PIECE)), 1);
    var one =
        new MachineLimit("one backpointer an entry", playback(loads.getFirst(), StreamLoad::walk));
    List<Measurement> seen = race(loads, List.of(echo, one));
    String what = "%,d streams of %,d, ".formatted(streams, each);
    // each round trip of the machine carries one piece
    double pieces = Math.max(1, (double) each / MOST_OF_A_PIECE);
    var best = OptionalDouble.of(pieces * seen.get(2).micros(50) / MICRO);
    for (int i = 0; i < 2; i++) {
      String name = what + clusters.both().get(i).name();
      results.accept(seen.get(i).times(PART, name, best));
    }
    var byBackpointers = seen.get(0).perSecond();
    var byReplicas = seen.get(1).perSecond();
    String ours = what + clusters.both().get(1).name();
    results.accept(
        new PartResult.Rate(PART, ours, "entries", byReplicas, "backpointers", byBackpointers));
    results.accept(
        new PartResult.Rate(
            PART, ours, "entries", byReplicas, one.name(), seen.get(3).perSecond()));
    results.accept(
        new PartResult.Rate(
            PART, ours, "entries", byReplicas, echo.name(), seen.get(2).perSecond()));
    loads.forEach(StreamLoad::trim);
  }

  /** Measures long streams beside the log itself, and beside the limit of loopback. */
  private void bulk() throws Exception {
    Log log = clusters.plain().corfu().log();
    long first = log.tail().value();
    int each = Math.clamp(settings.entries() / BULK_STREAMS, 1, MOST_BULK_ENTRIES_EACH);
    List<StreamLoad> loads = load(BULK_STREAMS, BULK_BYTES, each);
    int piece = Math.min(BULK_PIECE / BULK_BYTES, BULK_STREAMS * each);
    var plain = new ReadBenchmark.Bulk(log, first, BULK_STREAMS * each, piece, new AtomicLong());
    var frames = new Echo.Frames(BULK_REQUEST, BULK_PIECE, BULK_PIECE / BULK_BYTES);
    List<MachineLimit> others =
        List.of(
            new MachineLimit("the log in bulk", new ClosedLoop(1, 1, plain)),
            limits.echo(frames, 1),
            limits.echo(frames, BULK_DEPTH));
    List<Measurement> seen = race(loads, others);
    for (int i = 0; i < loads.size(); i++) {
      String what = "%,d B entries, %s".formatted(BULK_BYTES, clusters.both().get(i).name());
      for (int other = 0; other < others.size(); other++) {
        Measurement best = seen.get(loads.size() + other);
        results.accept(bandwidth(what, seen.get(i), others.get(other).name(), best));
      }
    }
    loads.forEach(StreamLoad::trim);
  }

  private static PartResult bandwidth(
      String what, Measurement ours, String limit, Measurement best) {
    double factor = BULK_BYTES / MIB;
    return new PartResult.Rate(
        PART, what, "MiB", ours.perSecond() * factor, limit, best.perSecond() * factor);
  }

  /** Returns the measurements of the loads and then of the limits, and closes the limits. */
  private List<Measurement> race(List<StreamLoad> loads, List<MachineLimit> limitsToo)
      throws Exception {
    List<Workload> racers = new ArrayList<>();
    loads.forEach(load -> racers.add(playback(load, StreamLoad::play)));
    limitsToo.forEach(limit -> racers.add(limit.workload()));
    try {
      return InterleavedRounds.run(racers, settings.rounds(), settings.round());
    } finally {
      limitsToo.forEach(limit -> limit.workload().close());
    }
  }

  private static Workload playback(StreamLoad load, Way way) {
    return new ClosedLoop(1, 1, new Playbacks(load, way));
  }

  /** A way to read a stream. */
  @FunctionalInterface
  private interface Way {
    void read(StreamLoad load, int stream, int length);
  }

  /** Reads one stream after the other, from its beginning to its end. */
  private static final class Playbacks implements ClosedLoop.Request {

    private final StreamLoad load;
    private final Way way;
    private int turn;

    private Playbacks(StreamLoad load, Way way) {
      this.load = load;
      this.way = way;
    }

    @Override
    public void await() {
      way.read(load, turn++ % load.count(), load.entriesEach());
    }

    @Override
    public CompletableFuture<?> start() {
      return CompletableFuture.runAsync(this::await);
    }

    @Override
    public int operations() {
      return load.entriesEach();
    }
  }
}
