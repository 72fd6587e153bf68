package corfu.bench.view;

import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.Benchmarks;
import corfu.bench.harness.CallingClients;
import corfu.bench.harness.InterleavedRounds;
import corfu.bench.harness.Measurement;
import corfu.bench.harness.PartResult;
import corfu.bench.harness.Preload;
import corfu.bench.harness.Workload;
import corfu.bench.object.SharedMap;
import corfu.bench.plot.Plot;
import corfu.bench.plot.PlotBuilder;
import corfu.objects.ReplicatedObjects;
import corfu.objects.TransactionOptions;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.type.ObjectType;
import corfu.protocol.Address;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Transactions that read a few keys at a random past address of the log (dissertation, figure
 * 5.12), with local and with remote views. The data base is spread over many maps, as a composed
 * map is over its buckets.
 */
final class ViewSnapshotsBenchmark {

  static final int KEYS_EACH = 3;

  private static final String PART = "snapshots";
  private static final ObjectType<ReplicatedMap<String, String>> TYPE =
      ReplicatedMap.of(String.class, String.class);
  private static final int BUCKETS = 1024;
  private static final int VALUE_BYTES = 1024;
  private static final int FILLERS = 64;

  /** The average number of changes of each key after the fill. */
  private static final int CHANGES = 2;

  /** The most clients with local views, because each plays everything that it reads. */
  private static final int MOST_LOCAL = 16;

  private final ViewsSettings settings;
  private final BenchCluster cluster;
  private final Consumer<PartResult> results;
  private final RandomGenerator random;
  private final String value = "x".repeat(VALUE_BYTES);
  private final PlotBuilder curves = new PlotBuilder();

  ViewSnapshotsBenchmark(
      ViewsSettings settings, BenchCluster cluster, Consumer<PartResult> results) {
    this.settings = settings;
    this.cluster = cluster;
    this.results = results;
    this.random = cluster.world().random();
  }

  /** The data base as a client sees it. */
  private record Base(ReplicatedObjects objects, List<ReplicatedMap<String, String>> buckets) {
    ReplicatedMap<String, String> bucketOf(int key) {
      return buckets.get(key % BUCKETS);
    }
  }

  void run() throws Exception {
    try (var connections = SharedConnections.open(cluster)) {
      Base writer = base(connections, 0, false);
      fill(writer, settings.keys());
      long begin = cluster.corfu().log().tail().value();
      fill(writer, settings.keys() * CHANGES);
      long end = cluster.corfu().log().tail().value();
      for (int clients : settings.clients()) {
        measure(connections, clients, begin, end);
      }
    }
    Benchmarks.show(
        curves.plot(
            "Transactions of %d reads at past addresses".formatted(KEYS_EACH),
            Plot.Across.SETTING,
            "clients"),
        settings.plot(),
        results);
  }

  private static Base base(SharedConnections connections, int client, boolean isRemote) {
    ReplicatedObjects objects = connections.objects(client);
    List<ReplicatedMap<String, String>> buckets = new ArrayList<>();
    for (int i = 0; i < BUCKETS; i++) {
      String name = "bench base " + i;
      buckets.add(isRemote ? objects.remote().open(name, TYPE) : objects.open(name, TYPE));
    }
    return new Base(objects, buckets);
  }

  /**
   * Changes each key once, in order, if there are as many changes as keys. Otherwise it changes
   * random keys.
   */
  private void fill(Base base, int changes) throws Exception {
    boolean isFirst = changes == settings.keys();
    Preload.with(
        FILLERS,
        changes,
        i -> {
          int key = isFirst ? i : random.nextInt(settings.keys());
          base.bucketOf(key).fastPut(SharedMap.key(key), value);
        });
  }

  private void measure(SharedConnections connections, int clients, long begin, long end)
      throws Exception {
    List<Base> remote = new ArrayList<>();
    List<Base> local = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      remote.add(base(connections, i, true));
      if (clients <= MOST_LOCAL) {
        local.add(base(connections, i, false));
      }
    }
    List<Workload> racers = new ArrayList<>();
    racers.add(CallingClients.busy(clients, who -> transact(remote.get(who), begin, end)));
    if (!local.isEmpty()) {
      racers.add(CallingClients.busy(clients, who -> transact(local.get(who), begin, end)));
    }
    List<Measurement> seen = InterleavedRounds.run(racers, settings.rounds(), settings.round());
    report("remote", clients, seen.getFirst());
    if (seen.size() > 1) {
      report("local", clients, seen.getLast());
    }
  }

  private void transact(Base base, long begin, long end) {
    Address at = new Address(begin + random.nextLong(end - begin + 1));
    base.objects()
        .transact(
            TransactionOptions.at(at),
            () -> {
              for (int i = 0; i < KEYS_EACH; i++) {
                int key = random.nextInt(settings.keys());
                if (base.bucketOf(key).get(SharedMap.key(key)) == null) {
                  throw new IllegalStateException("a key was not found at " + at);
                }
              }
            });
  }

  private void report(String views, int clients, Measurement seen) {
    results.accept(
        new PartResult.Values(
            PART,
            "%,d clients, %s views".formatted(clients, views),
            List.of(
                new PartResult.Value("clients", clients),
                new PartResult.Value("transactionsPerSecond", seen.perSecond()),
                new PartResult.Value("p50Millis", seen.millis(50)),
                new PartResult.Value("p99Millis", seen.millis(99)))));
    curves.add("transactions a second", views, clients, seen.perSecond());
    curves.add("99th percentile of a transaction, ms", views, clients, seen.millis(99));
  }
}
