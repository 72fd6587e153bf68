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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One writer changes ten of many entries at a time, and an increasing number of readers reads ten
 * entries at one moment (dissertation, figure 5.13). With locks, as shown there, the writer loses
 * 92 of 100 transactions to 200 readers. Both run at a steady rate below the machine's capacity, so
 * that only their effect on each other shows.
 */
final class ViewReadOnlyBenchmark {

  private static final String PART = "readonly";
  private static final String NAME = "bench read only";
  private static final ObjectType<ReplicatedMap<String, String>> TYPE =
      ReplicatedMap.of(String.class, String.class);
  private static final int ENTRIES_EACH = 10;
  private static final int VALUE_BYTES = 100;
  private static final int FILLERS = 64;
  private static final int CHANGES_PER_SECOND = 5000;
  private static final double PER_READER_AND_SECOND = 2.5;

  private final ViewsSettings settings;
  private final BenchCluster cluster;
  private final Consumer<PartResult> results;
  private final RandomGenerator random;
  private final String value = "x".repeat(VALUE_BYTES);
  private final PlotBuilder curves = new PlotBuilder();

  ViewReadOnlyBenchmark(
      ViewsSettings settings, BenchCluster cluster, Consumer<PartResult> results) {
    this.settings = settings;
    this.cluster = cluster;
    this.results = results;
    this.random = cluster.world().random();
  }

  /** The measurements of one kind of transactions. */
  private static final class Side {
    final Measurement measured = new Measurement();
    final LongAdder tries = new LongAdder();
    final LongAdder done = new LongAdder();

    double aborted() {
      return tries.sum() == 0 ? 0 : 100.0 * (tries.sum() - done.sum()) / tries.sum();
    }
  }

  /** The entries as a client sees them. */
  private record Client(ReplicatedObjects objects, ReplicatedMap<String, String> map) {}

  void run() throws Exception {
    try (var connections = SharedConnections.open(cluster)) {
      Client writer = client(connections, 0, false);
      Preload.with(FILLERS, settings.keys(), i -> writer.map().fastPut(SharedMap.key(i), value));
      measure(connections, writer, 0, new Side());
      for (int readers : settings.clients()) {
        measure(connections, writer, readers, new Side());
      }
    }
    Benchmarks.show(
        curves.plot(
            "Read-only transactions beside a writer of %,d changes a second"
                .formatted(CHANGES_PER_SECOND),
            Plot.Across.SETTING,
            "readers"),
        settings.plot(),
        results);
  }

  private static Client client(SharedConnections connections, int number, boolean isRemote) {
    ReplicatedObjects objects = connections.objects(number);
    return new Client(
        objects, isRemote ? objects.remote().open(NAME, TYPE) : objects.open(NAME, TYPE));
  }

  private void measure(SharedConnections connections, Client writer, int readers, Side reading)
      throws Exception {
    List<Client> clients = new ArrayList<>();
    for (int i = 0; i < readers; i++) {
      clients.add(client(connections, i, true));
    }
    Side writing = new Side();
    List<Workload> together = new ArrayList<>();
    List<Measurement> seen = new ArrayList<>();
    together.add(
        CallingClients.steady(
            1, (double) CHANGES_PER_SECOND / ENTRIES_EACH, who -> change(writer, writing)));
    seen.add(writing.measured);
    if (readers > 0) {
      together.add(
          CallingClients.steady(
              readers, readers * PER_READER_AND_SECOND, who -> read(clients.get(who), reading)));
      seen.add(reading.measured);
    }
    InterleavedRounds.together(
        together, seen.stream().map(each -> new Measurement()).toList(), settings.round());
    for (int i = 0; i < settings.rounds(); i++) {
      InterleavedRounds.together(together, seen, settings.round());
    }
    report(readers, writing, reading);
  }

  private String anyKey() {
    return SharedMap.key(random.nextInt(settings.keys()));
  }

  private void change(Client client, Side side) {
    client
        .objects()
        .transact(
            () -> {
              side.tries.increment();
              for (int i = 0; i < ENTRIES_EACH; i++) {
                String key = anyKey();
                check(client.map().get(key));
                client.map().fastPut(key, value);
              }
            });
    side.done.increment();
  }

  private void read(Client client, Side side) {
    client
        .objects()
        .transact(
            TransactionOptions.READ_ONLY,
            () -> {
              side.tries.increment();
              for (int i = 0; i < ENTRIES_EACH; i++) {
                check(client.map().get(anyKey()));
              }
            });
    side.done.increment();
  }

  private static void check(@Nullable String found) {
    if (found == null) {
      throw new IllegalStateException("a key was not found in a map that has it");
    }
  }

  private void report(int readers, Side writing, Side reading) {
    double changes = writing.measured.perSecond() * ENTRIES_EACH;
    double reads = readers == 0 ? 0 : reading.measured.perSecond() * ENTRIES_EACH;
    double offered = readers * PER_READER_AND_SECOND * ENTRIES_EACH;
    results.accept(
        new PartResult.Values(
            PART,
            "%,d readers".formatted(readers),
            List.of(
                new PartResult.Value("readers", readers),
                new PartResult.Value("changesPerSecond", changes),
                new PartResult.Value("changesOfOffered", changes / CHANGES_PER_SECOND),
                new PartResult.Value("changesAbortedPercent", writing.aborted()),
                new PartResult.Value("changeP99Millis", writing.measured.millis(99)),
                new PartResult.Value("readsPerSecond", reads),
                new PartResult.Value("readsOfOffered", offered == 0 ? 1 : reads / offered),
                new PartResult.Value("readsAbortedPercent", reading.aborted()),
                new PartResult.Value(
                    "readP99Millis", readers == 0 ? 0 : reading.measured.millis(99)))));
    curves.add("committed a second", "changes", readers, changes);
    curves.add("committed a second", "reads", readers, reads);
    curves.add("aborted, %", "changes", readers, writing.aborted());
    curves.add("aborted, %", "reads", readers, reading.aborted());
  }
}
