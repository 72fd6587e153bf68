package corfu.bench.view;

import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.Benchmarks;
import corfu.bench.harness.CallingClients;
import corfu.bench.harness.InterleavedRounds;
import corfu.bench.harness.Measurement;
import corfu.bench.harness.PartResult;
import corfu.bench.harness.Preload;
import corfu.bench.harness.Workload;
import corfu.bench.plot.Plot;
import corfu.bench.plot.PlotBuilder;
import corfu.objects.ReplicatedObjects;
import corfu.objects.TransactionOptions;
import corfu.objects.collection.ReplicatedList;
import corfu.objects.type.ObjectType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Views of web pages are recorded, each in the object of its page. A scan reads all pages again and
 * again, each time in one read-only transaction (dissertation, figure 5.14). Rounds with and
 * without the scan take turns.
 */
final class ViewScanBenchmark {

  private static final String PART = "scan";
  private static final ObjectType<ReplicatedList<PageView>> TYPE =
      ReplicatedList.of(PageView.class);
  private static final double VIEWS_PER_SECOND = 10_000;
  private static final int RECORDERS = 16;
  private static final int FILLERS = 64;
  private static final int SCREEN = 1000;

  private final ViewsSettings settings;
  private final BenchCluster cluster;
  private final Consumer<PartResult> results;
  private final RandomGenerator random;
  private final LongAdder scans = new LongAdder();
  private final LongAdder aborted = new LongAdder();
  private final PlotBuilder curves = new PlotBuilder();

  /** A view of a page. */
  public record PageView(long address, int x, int y) {}

  ViewScanBenchmark(ViewsSettings settings, BenchCluster cluster, Consumer<PartResult> results) {
    this.settings = settings;
    this.cluster = cluster;
    this.results = results;
    this.random = cluster.world().random();
  }

  void run() throws Exception {
    try (var connections = SharedConnections.open(cluster)) {
      List<ReplicatedList<PageView>> written = pages(connections.objects(0));
      ReplicatedObjects analyst = connections.objects(1);
      List<ReplicatedList<PageView>> read = pages(analyst);
      Preload.with(FILLERS, settings.pages(), i -> written.get(i).addLast(view()));
      Workload recorders =
          CallingClients.steady(
              RECORDERS,
              VIEWS_PER_SECOND,
              who -> written.get(random.nextInt(settings.pages())).addLast(view()));
      Workload scanner = CallingClients.busy(1, who -> scan(analyst, read));
      compare(recorders, scanner);
    }
  }

  private List<ReplicatedList<PageView>> pages(ReplicatedObjects objects) {
    List<ReplicatedList<PageView>> pages = new ArrayList<>();
    for (int i = 0; i < settings.pages(); i++) {
      pages.add(objects.open("bench page " + i, TYPE));
    }
    return pages;
  }

  private PageView view() {
    return new PageView(random.nextLong(), random.nextInt(SCREEN), random.nextInt(SCREEN));
  }

  private void scan(ReplicatedObjects objects, List<ReplicatedList<PageView>> pages) {
    objects.transact(
        TransactionOptions.READ_ONLY,
        () -> {
          aborted.increment();
          long views = 0;
          for (ReplicatedList<PageView> page : pages) {
            views += page.size();
          }
          if (views < pages.size()) {
            throw new IllegalStateException("a page has lost its first view");
          }
        });
    aborted.decrement();
    scans.increment();
  }

  private void compare(Workload recorders, Workload scanner) throws Exception {
    Measurement without = new Measurement();
    Measurement beside = new Measurement();
    Measurement scanning = new Measurement();
    new Measurement().round(recorders, 2 * settings.round().toNanos());
    new Measurement().round(scanner, settings.round().toNanos());
    scans.reset();
    for (int i = 0; i < settings.rounds(); i++) {
      without.round(recorders, settings.round().toNanos());
      InterleavedRounds.together(
          List.of(recorders, scanner), List.of(beside, scanning), settings.round());
      curves.add("page views a second", "without the scan", i + 1, without.lastPerSecond());
      curves.add("page views a second", "beside the scan", i + 1, beside.lastPerSecond());
      curves.add(
          "99th percentile of a page view so far, ms",
          "without the scan",
          i + 1,
          without.millis(99));
      curves.add(
          "99th percentile of a page view so far, ms", "beside the scan", i + 1, beside.millis(99));
    }
    report("page views, nobody scans", without, without, 0);
    report("page views beside the scan", beside, without, scanning.millis(50));
    Benchmarks.show(
        curves.plot(
            "%,.0f page views a second, and a scan of %,d pages"
                .formatted(VIEWS_PER_SECOND, settings.pages()),
            Plot.Across.SETTING,
            "round"),
        settings.plot(),
        results);
  }

  private void report(String what, Measurement seen, Measurement base, double scanMillis) {
    boolean isBeside = seen != base;
    results.accept(
        new PartResult.Values(
            PART,
            "%s, %,d pages".formatted(what, settings.pages()),
            List.of(
                new PartResult.Value("viewsPerSecond", seen.perSecond()),
                new PartResult.Value("ofAlone", seen.perSecond() / base.perSecond()),
                new PartResult.Value("p50Millis", seen.millis(50)),
                new PartResult.Value("p99Millis", seen.millis(99)),
                new PartResult.Value("scans", isBeside ? scans.sum() : 0),
                new PartResult.Value("scanMillis", scanMillis),
                new PartResult.Value("scansAborted", isBeside ? aborted.sum() : 0))));
  }
}
