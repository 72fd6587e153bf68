package corfu.bench.silver;

import corfu.bench.baseline.BaselineLatencies;
import corfu.bench.baseline.MachineLimits;
import corfu.bench.harness.Benchmarks;
import corfu.bench.harness.PartResult;
import corfu.bench.silver.SilverSettings.Row;
import corfu.node.local.JavaCommand;
import corfu.node.local.TemporaryDirectory;
import java.util.function.Consumer;

/**
 * Silver on a log of three servers in memory, with three copies of each entry. Needs root and
 * {@code /dev/fuse}.
 */
public final class SilverBenchmark {

  private final SilverSettings settings;
  private final JavaCommand java;
  private final Consumer<PartResult> results;

  private SilverBenchmark(SilverSettings settings, JavaCommand java, Consumer<PartResult> results) {
    this.settings = settings;
    this.java = java;
    this.results = results;
  }

  /**
   * Runs the benchmark with these settings.
   *
   * @param java starts the {@code corfu} command
   * @param results receives each finding as soon as it is known
   * @throws IllegalStateException if a mount or a server fails
   */
  public static void measure(
      SilverSettings settings, JavaCommand java, Consumer<PartResult> results) {
    Benchmarks.run(new SilverBenchmark(settings, java, results)::run);
  }

  private void run() throws Exception {
    try (var directory = TemporaryDirectory.create("corfu-bench-");
        var limits = MachineLimits.start(java, directory.path());
        var machine = new BaselineLatencies(limits, settings.round())) {
      machine.look();
      on(Row.TABLE, ground -> new PaperTable(settings, ground, results).measure());
      if (settings.has(Row.SEQUENTIAL) || settings.has(Row.SMALL)) {
        on(ground -> new FileRates(settings, ground, results).measure());
      }
      on(Row.RANDOM, ground -> new FileRates(settings, ground, results).measureRandom());
      on(Row.CLONES, ground -> new CloneTimes(settings, ground, results).measure());
      on(Row.GIT, ground -> new GitClones(settings, ground, results).measure());
      on(Row.MEMORY, ground -> new MountMemory(settings, ground, results).measure());
      machine.look();
      machine.report(results);
    }
  }

  /** A part of the benchmark, on a log of its own. */
  @FunctionalInterface
  private interface Part {
    void measure(SilverGround ground) throws Exception;
  }

  private void on(Row row, Part part) throws Exception {
    if (settings.has(row)) {
      on(part);
    }
  }

  private void on(Part part) throws Exception {
    try (SilverGround ground = SilverGround.start(java)) {
      part.measure(ground);
    }
  }
}
