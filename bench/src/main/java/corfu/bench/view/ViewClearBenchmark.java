package corfu.bench.view;

import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.Benchmarks;
import corfu.bench.harness.PartResult;
import corfu.bench.harness.Preload;
import corfu.bench.harness.Samples;
import corfu.bench.object.SharedMap;
import corfu.bench.plot.Plot;
import corfu.bench.plot.PlotBuilder;
import corfu.objects.ReplicatedObjects;
import corfu.objects.composed.ComposedMap;
import corfu.objects.composed.ComposedMapType;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A composed map with an increasing number of buckets is cleared. Then its size is read, which
 * reads all buckets at one moment (dissertation, figure 5.17). The reader is a client that has just
 * filled the map, a client that has just opened it, or a client with remote views.
 */
final class ViewClearBenchmark {

  private static final String PART = "clear";
  private static final int FILLERS = 64;

  private final ViewsSettings settings;
  private final BenchCluster cluster;
  private final Consumer<PartResult> results;
  private final PlotBuilder curves = new PlotBuilder();

  ViewClearBenchmark(ViewsSettings settings, BenchCluster cluster, Consumer<PartResult> results) {
    this.settings = settings;
    this.cluster = cluster;
    this.results = results;
  }

  void run() throws Exception {
    try (var connections = SharedConnections.open(cluster)) {
      for (int buckets : settings.buckets()) {
        measure(connections, buckets);
      }
    }
    Benchmarks.show(
        curves.plot("Clear and size of a composed map", Plot.Across.SETTING, "buckets of the map"),
        settings.plot(),
        results);
  }

  private static String name(int buckets) {
    return "bench clear " + buckets;
  }

  private static ComposedMapType<String, String> type(int buckets) {
    return ComposedMap.of(String.class, String.class)
        .withBuckets(buckets)
        .withBucketSize(Integer.MAX_VALUE);
  }

  private static ComposedMap<String, String> map(ReplicatedObjects objects, int buckets) {
    return objects.open(name(buckets), type(buckets));
  }

  private void measure(SharedConnections connections, int buckets) throws Exception {
    ComposedMap<String, String> filler = map(connections.objects(0), buckets);
    Samples warm = new Samples();
    Samples cold = new Samples();
    Samples full = new Samples();
    Samples remote = new Samples();
    for (int i = 0; i <= settings.rounds(); i++) {
      boolean counts = i > 0; // the first round warms up
      fill(filler, buckets);
      time(full, counts, map(connections.objects(1), buckets), false);
      time(cold, counts, map(connections.objects(2), buckets), true);
      fill(filler, buckets);
      time(warm, counts, filler, true);
      fill(filler, buckets);
      time(
          remote, counts, connections.objects(3).remote().open(name(buckets), type(buckets)), true);
    }
    report("clear and size, by the client that filled it", buckets, warm);
    report("clear and size, by a new client", buckets, cold);
    report("clear and size, by remote views", buckets, remote);
    report("size of a full map, by a new client", buckets, full);
  }

  private static void fill(ComposedMap<String, String> map, int keys) throws Exception {
    Preload.with(FILLERS, keys, i -> map.fastPut(SharedMap.key(i), "x"));
  }

  private void time(Samples samples, boolean counts, Map<String, String> map, boolean clears) {
    long begin = cluster.world().nanoTime();
    if (clears) {
      map.clear();
    }
    int size = map.size();
    long took = cluster.world().nanoTime() - begin;
    if (clears != (size == 0)) {
      throw new IllegalStateException(
          "a map that was %s has %d entries".formatted(clears ? "cleared" : "filled", size));
    }
    if (counts) {
      samples.add(took);
    }
  }

  private void report(String what, int buckets, Samples samples) {
    results.accept(
        new PartResult.Values(
            PART,
            "%s, %,d buckets".formatted(what, buckets),
            List.of(
                new PartResult.Value("buckets", buckets),
                new PartResult.Value("count", samples.count()),
                new PartResult.Value("p50Millis", samples.millis(50)),
                new PartResult.Value("maxMillis", samples.millis(100)))));
    curves.add("median, ms", what, buckets, samples.millis(50));
  }
}
