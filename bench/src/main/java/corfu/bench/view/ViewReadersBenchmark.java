package corfu.bench.view;

import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.Benchmarks;
import corfu.bench.harness.CallingClients;
import corfu.bench.harness.InterleavedRounds;
import corfu.bench.harness.Measurement;
import corfu.bench.harness.PartResult;
import corfu.bench.harness.Workload;
import corfu.bench.object.SharedMap;
import corfu.bench.plot.Plot;
import corfu.bench.plot.PlotBuilder;
import corfu.objects.ReplicatedObjects;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.remote.RemoteOptions;
import corfu.objects.type.ObjectType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * An increasing number of clients reads one object that changes all the time (dissertation, figure
 * 5.10). They use local views, each of which plays every change, or one remote view for all of
 * them.
 */
final class ViewReadersBenchmark {

  private static final String PART = "readers";
  private static final String NAME = "bench readers";
  private static final ObjectType<ReplicatedMap<String, String>> TYPE =
      ReplicatedMap.of(String.class, String.class);
  private static final int KEYS = 1000;
  private static final int VALUE_BYTES = 100;
  private static final double CHANGES_PER_SECOND = 500;

  /**
   * The most clients with local views. More of them would keep this machine busy with playing
   * alone.
   */
  private static final int MOST_LOCAL = 100;

  /** The number of clients that all others are compared with. */
  private static final int BASE = 32;

  private final ViewsSettings settings;
  private final BenchCluster cluster;
  private final Consumer<PartResult> results;
  private final RandomGenerator random;
  private final PlotBuilder curves = new PlotBuilder();

  ViewReadersBenchmark(ViewsSettings settings, BenchCluster cluster, Consumer<PartResult> results) {
    this.settings = settings;
    this.cluster = cluster;
    this.results = results;
    this.random = cluster.world().random();
  }

  /** The measurements of one number of clients. */
  private record Seen(Measurement reads, Measurement changes) {
    Seen() {
      this(new Measurement(), new Measurement());
    }
  }

  void run() throws Exception {
    var shared = SharedMap.open(cluster.corfu(), NAME, KEYS, VALUE_BYTES);
    shared.fill(KEYS);
    Workload writer =
        CallingClients.steady(
            1, CHANGES_PER_SECOND, who -> shared.map().fastPut(shared.anyKey(), shared.value()));
    List<Seen> remote = new ArrayList<>();
    try (var connections = SharedConnections.open(cluster)) {
      for (int clients : settings.clients()) {
        remote.add(measure(clients, connections, writer));
      }
      report(remote);
      int most = settings.clients().getLast();
      Seen flood = remote.getLast();
      Seen base = remote.get(baseIndex());
      if (baseIndex() < settings.clients().size() - 1) {
        double offered = base.reads().perSecond();
        steadily(
            connections,
            writer,
            most,
            offered,
            "as many reads as %d clients make".formatted(settings.clients().get(baseIndex())),
            base);
      }
      steadily(
          connections, writer, most, flood.reads().perSecond() / 2, "half of that rate", flood);
    }
    Benchmarks.show(
        curves.plot(
            "Readers of one object that is changed %.0f times a second"
                .formatted(CHANGES_PER_SECOND),
            Plot.Across.SETTING,
            "clients"),
        settings.plot(),
        results);
  }

  private Seen measure(int clients, SharedConnections connections, Workload writer)
      throws Exception {
    Seen remote = new Seen();
    Seen local = new Seen();
    Workload remotely = readers(maps(clients, connections, ViewReadersBenchmark::remote));
    boolean isLocalToo = clients <= MOST_LOCAL;
    Workload locally =
        readers(maps(isLocalToo ? clients : 1, connections, each -> each.open(NAME, TYPE)));
    round(remotely, writer, new Seen());
    if (isLocalToo) {
      round(locally, writer, new Seen());
    }
    for (int i = 0; i < settings.rounds(); i++) {
      round(remotely, writer, remote);
      if (isLocalToo) {
        round(locally, writer, local);
      }
    }
    if (isLocalToo) {
      report("%,d clients, views of their own".formatted(clients), clients, local, local);
      draw("local", clients, local);
    }
    return remote;
  }

  private static ReplicatedMap<String, String> remote(ReplicatedObjects objects) {
    var options = RemoteOptions.DEFAULT.withFallback(RemoteOptions.Fallback.NONE);
    return objects.remote(options).open(NAME, TYPE);
  }

  private interface Opening {
    ReplicatedMap<String, String> in(ReplicatedObjects objects);
  }

  private static List<ReplicatedMap<String, String>> maps(
      int clients, SharedConnections connections, Opening opening) {
    List<ReplicatedMap<String, String>> maps = new ArrayList<>();
    IntStream.range(0, clients).forEach(i -> maps.add(opening.in(connections.objects(i))));
    return maps;
  }

  private Workload readers(List<ReplicatedMap<String, String>> maps) {
    return CallingClients.busy(maps.size(), who -> read(maps.get(who)));
  }

  private void read(ReplicatedMap<String, String> map) {
    if (map.get(SharedMap.key(random.nextInt(KEYS))) == null) {
      throw new IllegalStateException("a key was not found in a map that has it");
    }
  }

  private void round(Workload readers, Workload writer, Seen seen) throws Exception {
    InterleavedRounds.together(
        List.of(readers, writer), List.of(seen.reads(), seen.changes()), settings.round());
  }

  private void report(List<Seen> remote) {
    List<Integer> clients = settings.clients();
    Seen base = remote.get(baseIndex());
    for (int i = 0; i < clients.size(); i++) {
      String what = "%,d clients, one remote view".formatted(clients.get(i));
      report(what, clients.get(i), remote.get(i), base);
      draw("remote", clients.get(i), remote.get(i));
    }
  }

  private int baseIndex() {
    List<Integer> clients = settings.clients();
    int index = 0;
    while (index < clients.size() - 1 && clients.get(index) < BASE) {
      index++;
    }
    return index;
  }

  /** Measures a rate below the highest one. Then times are the times of calls, not of a queue. */
  private void steadily(
      SharedConnections connections,
      Workload writer,
      int clients,
      double offered,
      String howMany,
      Seen compared)
      throws Exception {
    var maps = maps(clients, connections, ViewReadersBenchmark::remote);
    Workload readers = CallingClients.steady(clients, offered, who -> read(maps.get(who)));
    Seen seen = new Seen();
    round(readers, writer, new Seen());
    for (int i = 0; i < settings.rounds(); i++) {
      round(readers, writer, seen);
    }
    report("%,d clients, one remote view, %s".formatted(clients, howMany), clients, seen, compared);
  }

  private void report(String what, int clients, Seen seen, Seen base) {
    results.accept(
        new PartResult.Values(
            PART,
            what,
            List.of(
                new PartResult.Value("clients", clients),
                new PartResult.Value("readsPerSecond", seen.reads().perSecond()),
                new PartResult.Value("ofBase", seen.reads().perSecond() / base.reads().perSecond()),
                new PartResult.Value("p50Millis", seen.reads().millis(50)),
                new PartResult.Value("p99Millis", seen.reads().millis(99)),
                new PartResult.Value("changesPerSecond", seen.changes().perSecond()))));
  }

  private void draw(String curve, int clients, Seen seen) {
    curves.add("reads a second", curve, clients, seen.reads().perSecond());
    curves.add("99th percentile of a read, ms", curve, clients, seen.reads().millis(99));
  }
}
