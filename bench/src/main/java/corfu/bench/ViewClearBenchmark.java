package corfu.bench;

import corfu.objects.ReplicatedObjects;
import corfu.objects.composed.ComposedMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A composed map of more and more buckets is cleared, and what is in it is counted, which reads all
 * of them at one moment (dissertation, figure 5.17): by a client that has just filled it, and by
 * one that has just opened it.
 */
final class ViewClearBenchmark {

  private static final String PART = "clear";
  private static final int FILLERS = 64;

  private final ViewsSettings settings;
  private final BenchCluster cluster;
  private final Consumer<Finding> results;
  private final Curves curves = new Curves();

  ViewClearBenchmark(ViewsSettings settings, BenchCluster cluster, Consumer<Finding> results) {
    this.settings = settings;
    this.cluster = cluster;
    this.results = results;
  }

  void run() throws Exception {
    try (var connections = Connections.open(cluster)) {
      for (int buckets : settings.buckets()) {
        measure(connections, buckets);
      }
    }
    curves.draw(settings.plot(), "Clear, and then size, of a composed map", "buckets");
  }

  private static ComposedMap<String, String> map(ReplicatedObjects objects, int buckets) {
    return objects.open(
        "bench clear " + buckets,
        ComposedMap.of(String.class, String.class)
            .withBuckets(buckets)
            .withBucketSize(Integer.MAX_VALUE));
  }

  private void measure(Connections connections, int buckets) throws Exception {
    ComposedMap<String, String> filler = map(connections.objects(0), buckets);
    Samples warm = new Samples();
    Samples cold = new Samples();
    Samples full = new Samples();
    for (int i = 0; i <= settings.rounds(); i++) {
      boolean counts = i > 0; // the first is not measured
      fill(filler, buckets);
      time(full, counts, map(connections.objects(1), buckets), false);
      time(cold, counts, map(connections.objects(2), buckets), true);
      fill(filler, buckets);
      time(warm, counts, filler, true);
    }
    report("clear and size, by the client that filled it", buckets, warm);
    report("clear and size, by a new client", buckets, cold);
    report("size of a full map, by a new client", buckets, full);
  }

  private static void fill(ComposedMap<String, String> map, int keys) throws Exception {
    Fill.with(FILLERS, keys, i -> map.fastPut(SharedMap.key(i), "x"));
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
        new Finding.Values(
            PART,
            "%s, %,d buckets".formatted(what, buckets),
            List.of(
                new Finding.Value("buckets", buckets),
                new Finding.Value("count", samples.count()),
                new Finding.Value("p50Millis", samples.millis(50)),
                new Finding.Value("maxMillis", samples.millis(100)))));
    curves.add("ms", what, buckets, samples.millis(50));
  }
}
