package corfu.bench.view;

import corfu.bench.baseline.BaselineLatencies;
import corfu.bench.baseline.MachineLimits;
import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.Benchmarks;
import corfu.bench.harness.PartResult;
import corfu.node.Supervision;
import corfu.node.local.JavaCommand;
import corfu.objects.host.HostOptions;
import java.util.function.Consumer;

/**
 * Remote views beside local ones, and the effect of readers on writers (dissertation, figures 5.10,
 * 5.12 to 5.14 and 5.17).
 */
public final class ViewsBenchmark {

  private static final long ROOM = 512L << 20;

  /**
   * The factor on the pages for the capacity of a host: the scan reads more objects than the
   * default capacity.
   */
  private static final int MORE_THAN_PAGES = 2;

  private final ViewsSettings settings;
  private final JavaCommand java;
  private final Consumer<PartResult> results;

  private ViewsBenchmark(ViewsSettings settings, JavaCommand java, Consumer<PartResult> results) {
    this.settings = settings;
    this.java = java;
    this.results = results;
  }

  /**
   * Runs the benchmark with these settings.
   *
   * @param java starts the program whose {@code server} command runs a server
   * @param results receives each finding as soon as it is known
   */
  public static void measure(
      ViewsSettings settings, JavaCommand java, Consumer<PartResult> results) {
    Benchmarks.run(new ViewsBenchmark(settings, java, results)::run);
  }

  private void run() throws Exception {
    for (var part : ViewsSettings.Part.values()) {
      if (settings.has(part)) {
        onItsOwnCluster(part);
      }
    }
  }

  /**
   * Runs one part on a cluster of its own. As in the paper, it has one replica of the log and one
   * of the streams, which hosts the views.
   */
  private void onItsOwnCluster(ViewsSettings.Part part) throws Exception {
    int objects = Math.max(1 << 12, MORE_THAN_PAGES * settings.pages());
    var shape =
        new BenchCluster.Shape(2, 0, 1, 1, settings.mode(), Supervision.DEFAULT)
            .withViews(HostOptions.DEFAULT.withRoom(ROOM, objects));
    try (var cluster = BenchCluster.start(java, shape);
        var limits = MachineLimits.start(java, cluster.directory());
        var machine = new BaselineLatencies(limits, settings.round())) {
      machine.look();
      switch (part) {
        case READERS -> new ViewReadersBenchmark(settings, cluster, results).run();
        case SNAPSHOTS -> new ViewSnapshotsBenchmark(settings, cluster, results).run();
        case READONLY -> new ViewReadOnlyBenchmark(settings, cluster, results).run();
        case SCAN -> new ViewScanBenchmark(settings, cluster, results).run();
        case CLEAR -> new ViewClearBenchmark(settings, cluster, results).run();
      }
      machine.look();
      machine.report(results);
    }
  }
}
