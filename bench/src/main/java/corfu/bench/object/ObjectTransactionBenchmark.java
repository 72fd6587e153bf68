package corfu.bench.object;

import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.BlockingCall;
import corfu.bench.harness.ClosedLoop;
import corfu.bench.harness.InterleavedRounds;
import corfu.bench.harness.Measurement;
import corfu.bench.harness.PartResult;
import corfu.bench.harness.Workload;
import corfu.objects.TransactionOptions;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Transactions that read three keys of a map and change three, from several threads. With few keys
 * they conflict; with many, hardly any two do.
 */
final class ObjectTransactionBenchmark {

  static final int KEYS_EACH = 3;

  private static final String PART = "transact";
  private static final int MANY = 100;
  private static final int ATTEMPTS = 1000;

  /** The rounds before the measurement, so that the JIT is warm. */
  private static final int ROUNDS_TO_WARM_UP = 5;

  private final ObjectsSettings settings;
  private final BenchCluster cluster;
  private final Consumer<PartResult> results;
  private boolean isWarm;

  ObjectTransactionBenchmark(
      ObjectsSettings settings, BenchCluster cluster, Consumer<PartResult> results) {
    this.settings = settings;
    this.cluster = cluster;
    this.results = results;
  }

  void run() throws Exception {
    measure(settings.keys());
    measure(settings.keys() * MANY);
  }

  private void measure(int keys) throws Exception {
    var shared = SharedMap.open(cluster.corfu(), "bench of " + keys, keys, settings.valueBytes());
    shared.fill(keys);
    var attempts = new LongAdder();
    var committed = new LongAdder();
    int threads = settings.threads();
    var readOnly =
        loop(threads, () -> shared.objects().transact(TransactionOptions.READ_ONLY, reads(shared)));
    var changing = loop(threads, () -> change(shared, attempts, committed));
    List<Workload> both = List.of(changing, readOnly);
    if (!isWarm) {
      isWarm = true;
      var unused = InterleavedRounds.run(both, ROUNDS_TO_WARM_UP, settings.round());
      attempts.reset();
      committed.reset();
    }
    List<Measurement> seen = InterleavedRounds.run(both, settings.rounds(), settings.round());
    String what = "%%s, %,d keys, %d threads".formatted(keys, threads);
    String change = what.formatted("3 reads and 3 writes");
    results.accept(rate(change, seen.get(0), "reading 3 only", seen.get(1).perSecond()));
    double tries = (double) attempts.sum() / committed.sum();
    results.accept(rate(change, seen.get(0), "attempts", seen.get(0).perSecond() * tries));
  }

  private static Workload loop(int threads, Runnable call) {
    return new ClosedLoop(threads, 1, new BlockingCall(call));
  }

  private static void change(SharedMap shared, LongAdder attempts, LongAdder committed) {
    shared
        .objects()
        .transact(
            TransactionOptions.DEFAULT.withAttempts(ATTEMPTS),
            () -> {
              attempts.increment();
              reads(shared).run();
              for (int i = 0; i < KEYS_EACH; i++) {
                shared.map().fastPut(shared.anyKey(), shared.value());
              }
            });
    committed.increment();
  }

  private static Runnable reads(SharedMap shared) {
    return () -> {
      for (int i = 0; i < KEYS_EACH; i++) {
        shared.map().get(shared.anyKey());
      }
    };
  }

  private static PartResult rate(String what, Measurement ours, String limit, double other) {
    return new PartResult.Rate(PART, what, "transactions", ours.perSecond(), limit, other);
  }
}
