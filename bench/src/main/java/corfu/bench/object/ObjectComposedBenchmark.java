package corfu.bench.object;

import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.BlockingCall;
import corfu.bench.harness.ClosedLoop;
import corfu.bench.harness.InterleavedRounds;
import corfu.bench.harness.Measurement;
import corfu.bench.harness.PartResult;
import corfu.bench.harness.Workload;
import corfu.objects.CheckpointPolicy;
import corfu.objects.ObjectOptions;
import corfu.objects.ReplicatedObjects;
import corfu.objects.TransactionOptions;
import corfu.objects.composed.ComposedMap;
import corfu.runtime.Corfu;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A composed map beside a plain one (dissertation, figures 5.15 and 5.16). The results are the time
 * of a new view until its first read, and the part of aborted transactions.
 */
final class ObjectComposedBenchmark {

  private static final String PART = "composed";
  private static final int MIB = 1 << 20;
  private static final int BUCKETS = 1000;
  private static final int ATTEMPTS = 10_000;
  private static final int FILLERS = 64;
  private static final double PERCENT = 100;

  private final ObjectsSettings settings;
  private final BenchCluster cluster;
  private final Consumer<PartResult> results;
  private final RandomGenerator random;

  ObjectComposedBenchmark(
      ObjectsSettings settings, BenchCluster cluster, Consumer<PartResult> results) {
    this.settings = settings;
    this.cluster = cluster;
    this.results = results;
    this.random = cluster.corfu().streamAccess().world().random();
  }

  void run() throws Exception {
    readFirst();
    abort();
  }

  private static ReplicatedObjects objects(Corfu corfu) {
    var options = ObjectOptions.DEFAULT.withCheckpoints(CheckpointPolicy.MANUAL);
    return ReplicatedObjects.over(corfu, options);
  }

  private static ComposedMap<String, String> map(
      ReplicatedObjects objects, String name, int buckets) {
    return objects.open(
        name,
        ComposedMap.of(String.class, String.class)
            .withBuckets(buckets)
            .withBucketSize(Integer.MAX_VALUE));
  }

  private static void fill(Map<String, String> map, int keys, String value)
      throws InterruptedException {
    var next = new AtomicInteger();
    List<Thread> fillers =
        IntStream.range(0, FILLERS)
            .mapToObj(
                i ->
                    Thread.ofVirtual()
                        .start(
                            () -> {
                              int key = next.getAndIncrement();
                              while (key < keys) {
                                map.putAll(Map.of(SharedMap.key(key), value));
                                key = next.getAndIncrement();
                              }
                            }))
            .toList();
    for (Thread filler : fillers) {
      filler.join();
    }
  }

  private static Workload loop(int threads, Runnable call) {
    return new ClosedLoop(threads, 1, new BlockingCall(call));
  }

  /** Figure 5.15. */
  private void readFirst() throws Exception {
    int keys = (int) ((long) settings.largeMebibytes() * MIB / settings.valueBytes());
    String value = "x".repeat(settings.valueBytes());
    var plain = SharedMap.open(cluster.corfu(), "bench plain", keys, settings.valueBytes());
    plain.fill(keys);
    fill(map(objects(cluster.corfu()), "bench composed", BUCKETS), keys, value);
    try (Corfu other = cluster.connect()) {
      List<Workload> racers =
          List.of(
              loop(
                  1,
                  () ->
                      check(
                          SharedMap.open(other, "bench plain", keys, settings.valueBytes())
                              .map()
                              .get(key(keys)))),
              loop(1, () -> check(map(objects(other), "bench composed", BUCKETS).get(key(keys)))));
      List<Measurement> seen = InterleavedRounds.run(racers, settings.rounds(), settings.round());
      String what =
          "first read of a map of %,d MiB, %,d keys, ".formatted(settings.largeMebibytes(), keys);
      results.accept(seen.get(0).times(PART, what + "not composed", OptionalDouble.empty()));
      results.accept(
          seen.get(1).times(PART, what + "%,d buckets".formatted(BUCKETS), OptionalDouble.empty()));
    }
  }

  private String key(int keys) {
    return SharedMap.key(random.nextInt(keys));
  }

  private static void check(@Nullable String value) {
    if (value == null) {
      throw new IllegalStateException("a key was not found in a map that has it");
    }
  }

  /** Figure 5.16: two reads and a write of random keys, uniformly distributed. */
  private void abort() throws Exception {
    int keys = settings.keys() * BUCKETS / 10;
    String value = "x".repeat(settings.valueBytes());
    ReplicatedObjects objects = objects(cluster.corfu());
    Map<String, String> composed = map(objects, "bench aborts", BUCKETS);
    var shared = SharedMap.open(cluster.corfu(), "bench plain aborts", keys, settings.valueBytes());
    shared.fill(keys);
    fill(composed, keys, value);
    var tries = List.of(new LongAdder(), new LongAdder());
    var done = List.of(new LongAdder(), new LongAdder());
    List<Workload> racers =
        List.of(
            loop(
                settings.threads(),
                () -> transact(objects, composed, keys, value, tries.get(0), done.get(0))),
            loop(
                settings.threads(),
                () ->
                    transact(
                        shared.objects(), shared.map(), keys, value, tries.get(1), done.get(1))));
    List<Measurement> seen = InterleavedRounds.run(racers, settings.rounds(), settings.round());
    for (int i = 0; i < racers.size(); i++) {
      double aborted = 1 - (double) done.get(i).sum() / tries.get(i).sum();
      String map = i == 0 ? "%,d buckets".formatted(BUCKETS) : "not composed";
      results.accept(
          new PartResult.Values(
              PART,
              "2 reads and a write, %,d keys, %d writers, %s"
                  .formatted(keys, settings.threads(), map),
              List.of(
                  new PartResult.Value("abortedPercent", aborted * PERCENT),
                  new PartResult.Value("perSecond", seen.get(i).perSecond()))));
    }
  }

  private void transact(
      ReplicatedObjects objects,
      Map<String, String> map,
      int keys,
      String value,
      LongAdder tries,
      LongAdder done) {
    objects.transact(
        TransactionOptions.DEFAULT.withAttempts(ATTEMPTS),
        () -> {
          tries.increment();
          check(map.get(key(keys)));
          check(map.get(key(keys)));
          map.putAll(Map.of(key(keys), value));
        });
    done.increment();
  }
}
