package corfu.bench.service;

import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.Benchmarks;
import corfu.bench.harness.CallingClients;
import corfu.bench.harness.ClosedLoop;
import corfu.bench.harness.InterleavedRounds;
import corfu.bench.harness.Measurement;
import corfu.bench.harness.PartResult;
import corfu.bench.harness.Preload;
import corfu.bench.harness.Workload;
import corfu.bench.plot.Plot;
import corfu.bench.plot.PlotBuilder;
import corfu.protocol.Address;
import corfu.runtime.Log;
import corfu.runtime.LogEntry;
import corfu.store.Changes;
import corfu.store.KeyValueStore;
import corfu.store.StoreOptions;
import corfu.store.StoreSnapshot;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.HdrHistogram.Recorder;

/**
 * Atomic changes and reads of several keys of the store (CORFU, figure 9), beside appends and reads
 * of the log itself. Changes are made in two ways. The store puts all keys into one entry. The
 * paper has one entry for each value and one more that decides.
 */
final class StoreBenchmark {

  static final int KEYS = 1000;

  private static final int DEPTH = 256;
  private static final int READERS = 16;

  private final ServicesSettings settings;
  private final BenchCluster cluster;
  private final Consumer<PartResult> results;
  private final RandomGenerator random;
  private final byte[] value;
  private final PlotBuilder curves = new PlotBuilder();

  StoreBenchmark(ServicesSettings settings, BenchCluster cluster, Consumer<PartResult> results) {
    this.settings = settings;
    this.cluster = cluster;
    this.results = results;
    this.random = cluster.world().random();
    this.value = new byte[settings.valueBytes()];
  }

  private static String key(int index) {
    return "key-" + index;
  }

  private Set<String> someKeys(int count) {
    Set<String> keys = new LinkedHashSet<>();
    while (keys.size() < count) {
      keys.add(key(random.nextInt(KEYS)));
    }
    return keys;
  }

  // ------------------------------------------------------------------------------------- changes

  void put() throws Exception {
    var options = StoreOptions.DEFAULT.withCacheBytes(0).withCheckpointEvery(0);
    try (KeyValueStore whole = KeyValueStore.open(cluster.corfu(), "bench whole", options);
        KeyValueStore parted =
            KeyValueStore.open(cluster.corfu(), "bench parted", options.withInlineBytes(0))) {
      for (int keys : settings.keys()) {
        put(whole, parted, keys);
      }
    }
    Benchmarks.show(
        curves.plot(
            "Atomic changes of several keys of the store", Plot.Across.SETTING, "keys of a change"),
        settings.plot(),
        results);
  }

  private void put(KeyValueStore whole, KeyValueStore parted, int keys) throws Exception {
    Log log = cluster.corfu().log();
    Runnable forget =
        () -> {
          CompletableFuture<Address> one = CompletableFuture.supplyAsync(whole::compact);
          Address other = parted.compact();
          log.prefixTrim(least(one.join(), other));
        };
    List<Workload> racers =
        List.of(
            flood(() -> log.appendAsync(ByteBuffer.wrap(value)), forget),
            flood(() -> whole.writeAsync(changes(keys)), forget),
            flood(() -> parted.writeAsync(changes(keys)), forget));
    List<Measurement> seen = InterleavedRounds.run(racers, settings.rounds(), settings.round());
    double log1 = seen.get(0).perSecond();
    report("one entry for %d keys", keys, 1, seen.get(1), log1);
    report("an entry a key, and one: %d keys", keys, keys + 1, seen.get(2), log1);
    curves.add("multi-puts a second", "one entry for all keys", keys, seen.get(1).perSecond());
    curves.add(
        "multi-puts a second",
        "one entry for each key and one more",
        keys,
        seen.get(2).perSecond());
    curves.add("appends a second", "the log alone", keys, log1);
    curves.add(
        "appends a second",
        "one entry for each key and one more",
        keys,
        seen.get(2).perSecond() * (keys + 1));
  }

  private static Address least(Address one, Address other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private Changes changes(int keys) {
    Changes changes = new Changes();
    someKeys(keys).forEach(key -> changes.put(key, value));
    return changes;
  }

  /**
   * Returns a workload of {@code DEPTH} in-flight requests from one thread.
   *
   * @param forget an action between rounds, so that the memory of the units suffices for all rounds
   */
  private static Workload flood(Supplier<CompletableFuture<?>> start, Runnable forget) {
    ClosedLoop loop =
        new ClosedLoop(
            1,
            DEPTH,
            new ClosedLoop.Request() {
              @Override
              public void await() {
                start.get().join();
              }

              @Override
              public CompletableFuture<?> start() {
                return start.get();
              }
            });
    return new Workload() {
      @Override
      public long run(long nanos, Recorder latencies) throws Exception {
        return loop.run(nanos, latencies);
      }

      @Override
      public void rest() {
        forget.run();
      }
    };
  }

  private void report(String what, int keys, int appends, Measurement seen, double logPerSecond) {
    results.accept(
        new PartResult.Values(
            "puts",
            what.formatted(keys),
            List.of(
                new PartResult.Value("keys", keys),
                new PartResult.Value("multiPutsPerSecond", seen.perSecond()),
                new PartResult.Value("keysPerSecond", seen.perSecond() * keys),
                new PartResult.Value("appendsPerSecond", seen.perSecond() * appends),
                new PartResult.Value("logPerSecond", logPerSecond),
                new PartResult.Value("ofTheLog", seen.perSecond() * appends / logPerSecond),
                new PartResult.Value("p50Millis", seen.millis(50)),
                new PartResult.Value("p99Millis", seen.millis(99)))));
  }

  // --------------------------------------------------------------------------------------- reads

  void get() throws Exception {
    var options = StoreOptions.DEFAULT.withCacheBytes(0).withCheckpointEvery(0);
    try (KeyValueStore store = KeyValueStore.open(cluster.corfu(), "bench gets", options)) {
      long begin = cluster.corfu().log().tail().value();
      Preload.with(READERS, KEYS, i -> store.put(key(i), value));
      for (int keys : settings.keys()) {
        get(store, keys, begin, cluster.corfu().log().tail().value());
      }
    }
    Benchmarks.show(
        curves.plot("Reads of several keys of the store", Plot.Across.SETTING, "keys of a read"),
        settings.plot(),
        results);
  }

  private void get(KeyValueStore store, int keys, long begin, long end) throws Exception {
    Log log = cluster.corfu().log();
    List<Workload> racers =
        List.of(
            CallingClients.busy(READERS, who -> read(log, keys, begin, end)),
            CallingClients.busy(READERS, who -> check(store.getAll(someKeys(keys)).size(), keys)),
            CallingClients.busy(READERS, who -> snapshot(store.played(), keys)));
    List<Measurement> seen = InterleavedRounds.run(racers, settings.rounds(), settings.round());
    double logPerSecond = seen.getFirst().perSecond() * keys;
    reportGets("%d keys, of now", keys, seen.get(1), logPerSecond);
    reportGets("%d keys, of a snapshot", keys, seen.get(2), logPerSecond);
    curves.add("multi-gets a second", "of the newest values", keys, seen.get(1).perSecond());
    curves.add("multi-gets a second", "of a snapshot", keys, seen.get(2).perSecond());
    curves.add("reads of keys a second", "the log alone", keys, logPerSecond);
    curves.add(
        "reads of keys a second", "of the newest values", keys, seen.get(1).perSecond() * keys);
  }

  private void snapshot(StoreSnapshot snapshot, int keys) {
    check(snapshot.getAll(someKeys(keys)).size(), keys);
  }

  private void read(Log log, int keys, long begin, long end) {
    List<Address> addresses = new ArrayList<>();
    for (int i = 0; i < keys; i++) {
      addresses.add(new Address(begin + random.nextLong(end - begin)));
    }
    List<LogEntry> entries = log.read(addresses);
    check(entries.size(), keys);
  }

  private static void check(int found, int expected) {
    if (found != expected) {
      throw new IllegalStateException("%d values were read, not %d".formatted(found, expected));
    }
  }

  private void reportGets(String what, int keys, Measurement seen, double logPerSecond) {
    double reads = seen.perSecond() * keys;
    results.accept(
        new PartResult.Values(
            "gets",
            what.formatted(keys),
            List.of(
                new PartResult.Value("keys", keys),
                new PartResult.Value("multiGetsPerSecond", seen.perSecond()),
                new PartResult.Value("readsPerSecond", reads),
                new PartResult.Value("logPerSecond", logPerSecond),
                new PartResult.Value("ofTheLog", reads / logPerSecond),
                new PartResult.Value("p50Millis", seen.millis(50)),
                new PartResult.Value("p99Millis", seen.millis(99)))));
  }
}
