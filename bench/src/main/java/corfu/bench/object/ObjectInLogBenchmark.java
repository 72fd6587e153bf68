package corfu.bench.object;

import static java.util.Objects.requireNonNull;

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
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.serial.InLog;
import corfu.objects.type.ObjectType;
import corfu.runtime.Corfu;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * The cost of a view of a large map, with values in memory and with values in the log
 * (dissertation, section 5.1.1). The results are the heap per key, and the time of a read.
 */
final class ObjectInLogBenchmark {

  private static final String PART = "in-log";
  private static final int MIB = 1 << 20;
  private static final int FILLERS = 64;
  private static final double MICRO = 1e3;

  private static final ObjectType<ReplicatedMap<String, byte[]>> IN_MEMORY =
      ReplicatedMap.of(String.class, byte[].class);
  private static final ObjectType<ReplicatedMap<String, InLog<byte[]>>> IN_LOG =
      ReplicatedMap.inLog(String.class, byte[].class);

  private final ObjectsSettings settings;
  private final BenchCluster cluster;
  private final Consumer<PartResult> results;
  private final int keys;

  ObjectInLogBenchmark(
      ObjectsSettings settings, BenchCluster cluster, Consumer<PartResult> results) {
    this.settings = settings;
    this.cluster = cluster;
    this.results = results;
    this.keys = (int) ((long) settings.largeMebibytes() * MIB / settings.valueBytes());
  }

  /** Puts a value into a map. */
  private interface Put {
    void put(String key, byte[] value);
  }

  void run() throws Exception {
    var near = objects(cluster.corfu()).open("bench near", IN_MEMORY);
    var far = objects(cluster.corfu()).open("bench far", IN_LOG);
    fill(near::fastPut);
    fill((key, value) -> far.fastPut(key, InLog.of(value)));
    measureHeap();
    measureReads();
  }

  private static ReplicatedObjects objects(Corfu corfu) {
    return ReplicatedObjects.over(
        corfu, ObjectOptions.DEFAULT.withCheckpoints(CheckpointPolicy.MANUAL));
  }

  private static String key(int index) {
    return "key-" + index;
  }

  private void fill(Put put) throws Exception {
    var next = new AtomicInteger();
    byte[] value = new byte[settings.valueBytes()];
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> fillers = new ArrayList<>();
      for (int i = 0; i < FILLERS; i++) {
        fillers.add(
            threads.submit(
                () -> {
                  for (int at = next.getAndIncrement(); at < keys; at = next.getAndIncrement()) {
                    put.put(key(at), value);
                  }
                }));
      }
      for (Future<?> filler : fillers) {
        filler.get();
      }
    }
  }

  /**
   * Measures the heap. The first view of a client fills its cache of entries, and does not count.
   */
  private void measureHeap() throws Exception {
    try (Corfu corfu = cluster.connect()) {
      var objects = objects(corfu);
      var warm = objects.at(corfu.log().tail()).open("bench far", IN_LOG);
      check(warm.size());
      long blank = heapBytes();
      var far = objects.open("bench far", IN_LOG);
      check(far.size());
      long withFar = heapBytes();
      var near = objects.open("bench near", IN_MEMORY);
      check(near.size());
      long withNear = heapBytes();
      check(warm.size());
      check(far.size());
      check(near.size());
      double inLog = (withFar - blank) / (double) keys;
      double inMemory = (withNear - withFar) / (double) keys;
      results.accept(
          new PartResult.Values(
              PART,
              "heap of a view of %,d keys with values of %,d B"
                  .formatted(keys, settings.valueBytes()),
              List.of(
                  new PartResult.Value("inMemoryBytesPerKey", inMemory),
                  new PartResult.Value("inLogBytesPerKey", inLog),
                  new PartResult.Value("inLogShare", inLog / inMemory))));
    }
  }

  private void check(int size) {
    if (size != keys) {
      throw new IllegalStateException("a map was opened wrongly: it has " + size + " keys");
    }
  }

  private static long heapBytes() {
    Runtime runtime = Runtime.getRuntime();
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private void measureReads() throws Exception {
    try (Corfu corfu = cluster.connect()) {
      RandomGenerator random = corfu.streamAccess().world().random();
      var near = objects(corfu).open("bench near", IN_MEMORY);
      var far = objects(corfu).open("bench far", IN_LOG);
      List<Workload> racers =
          List.of(
              loop(() -> near.get(key(random.nextInt(keys)))),
              loop(() -> requireNonNull(far.get(key(random.nextInt(keys)))).get()));
      List<Measurement> seen = InterleavedRounds.run(racers, settings.rounds(), settings.round());
      var best = OptionalDouble.of(seen.getFirst().micros(50) / MICRO);
      results.accept(seen.get(0).times(PART, "get, in memory", best));
      results.accept(seen.get(1).times(PART, "get, in the log", best));
    }
  }

  private static Workload loop(Runnable call) {
    return new ClosedLoop(1, 1, new BlockingCall(call));
  }
}
