package corfu.bench.disk;

import corfu.bench.baseline.BaselineLatencies;
import corfu.bench.baseline.MachineLimits;
import corfu.bench.disk.DiskSettings.Row;
import corfu.bench.harness.Benchmarks;
import corfu.bench.harness.PartResult;
import corfu.node.local.JavaCommand;
import corfu.node.local.TemporaryDirectory;
import java.util.function.Consumer;

/**
 * Virtual disks on durable log servers. The rates are those of fio, in turns with nbdkit, which
 * serves a local file. Needs {@code fio} and {@code nbdkit}.
 */
public final class DiskBenchmark {

  private final DiskSettings settings;
  private final JavaCommand java;
  private final Consumer<PartResult> results;

  private DiskBenchmark(DiskSettings settings, JavaCommand java, Consumer<PartResult> results) {
    this.settings = settings;
    this.java = java;
    this.results = results;
  }

  /**
   * Runs the benchmark with these settings.
   *
   * @param java starts the {@code corfu} command
   * @param results receives each finding as soon as it is known
   * @throws IllegalStateException if a server or a load fails
   */
  public static void measure(
      DiskSettings settings, JavaCommand java, Consumer<PartResult> results) {
    Benchmarks.run(new DiskBenchmark(settings, java, results)::run);
  }

  private void run() throws Exception {
    try (var directory = TemporaryDirectory.create("corfu-bench-");
        var limits = MachineLimits.start(java, directory.path());
        var machine = new BaselineLatencies(limits, settings.round())) {
      machine.look();
      for (int copies : settings.copies()) {
        if (settings.has(Row.RANDOM) || settings.has(Row.SEQUENTIAL)) {
          try (DiskGround ground = DiskGround.start(java, copies)) {
            new DiskRates(settings, ground, results).measure();
          }
        }
      }
      if (settings.has(Row.SNAPSHOTS) || settings.has(Row.START)) {
        try (DiskGround ground = DiskGround.start(java, 1)) {
          new FullDisk(settings, ground, results).measure();
        }
      }
      machine.look();
      machine.report(results);
    }
  }
}
