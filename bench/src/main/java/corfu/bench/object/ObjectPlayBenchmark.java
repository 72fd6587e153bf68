package corfu.bench.object;

import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.ClosedLoop;
import corfu.bench.harness.InterleavedRounds;
import corfu.bench.harness.Measurement;
import corfu.bench.harness.PartResult;
import corfu.bench.harness.Workload;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A new view plays the small updates of an object, each an entry. The limit is a reader of the
 * object's stream.
 */
final class ObjectPlayBenchmark {

  private static final String PART = "play";
  private static final String NAME = "bench counters";
  private static final int VALUE_BYTES = 8;

  private final ObjectsSettings settings;
  private final BenchCluster cluster;
  private final Consumer<PartResult> results;

  ObjectPlayBenchmark(
      ObjectsSettings settings, BenchCluster cluster, Consumer<PartResult> results) {
    this.settings = settings;
    this.cluster = cluster;
    this.results = results;
  }

  void run() throws Exception {
    int updates = settings.updates();
    open(cluster.corfu()).fill(updates);
    List<Workload> racers = List.of(again(updates, this::play), again(updates, this::read));
    List<Measurement> seen = InterleavedRounds.run(racers, settings.rounds(), settings.round());
    results.accept(
        new PartResult.Rate(
            PART,
            "%,d updates of %d B by a new view".formatted(updates, VALUE_BYTES),
            "updates",
            seen.get(0).perSecond(),
            "reading the stream",
            seen.get(1).perSecond()));
  }

  private SharedMap open(Corfu corfu) {
    return SharedMap.open(corfu, NAME, settings.keys(), VALUE_BYTES);
  }

  private void play() {
    try (Corfu other = cluster.connect()) {
      int size = open(other).map().size();
      if (size != Math.min(settings.keys(), settings.updates())) {
        throw new IllegalStateException("a view was played wrongly: it has " + size + " keys");
      }
    }
  }

  private void read() {
    try (Corfu other = cluster.connect()) {
      StreamReader reader = Streams.over(other).open(StreamId.named(NAME)).reader();
      var unused = reader.sync();
      int count = 0;
      while (reader.readNext() instanceof StreamRead.Entry) {
        count++;
      }
      if (count != settings.updates()) {
        throw new IllegalStateException("a stream was read wrongly: it has " + count + " entries");
      }
    }
  }

  private static Workload again(int operations, Runnable call) {
    return new ClosedLoop(
        1,
        1,
        new ClosedLoop.Request() {
          @Override
          public void await() {
            call.run();
          }

          @Override
          public CompletableFuture<?> start() {
            return CompletableFuture.runAsync(call);
          }

          @Override
          public int operations() {
            return operations;
          }
        });
  }
}
