package corfu.bench.zookeeper;

import corfu.bench.baseline.BaselineLatencies;
import corfu.bench.baseline.MachineLimits;
import corfu.bench.harness.Benchmarks;
import corfu.bench.harness.PartResult;
import corfu.bench.zookeeper.ZooKeeperSettings.ComparedSystem;
import corfu.bench.zookeeper.ZooKeeperSettings.Row;
import corfu.node.local.JavaCommand;
import corfu.node.local.TemporaryDirectory;
import java.util.function.Consumer;

/**
 * The service with the protocol of ZooKeeper beside Apache ZooKeeper. Both sync each write on the
 * same disk. One process of clients loads them in turns.
 */
public final class ZooKeeperBenchmark {

  private final ZooKeeperSettings settings;
  private final JavaCommand java;
  private final Consumer<PartResult> results;

  private ZooKeeperBenchmark(
      ZooKeeperSettings settings, JavaCommand java, Consumer<PartResult> results) {
    this.settings = settings;
    this.java = java;
    this.results = results;
  }

  /**
   * Runs the benchmark with these settings.
   *
   * @param java starts the {@code corfu} command
   * @param results receives each finding as soon as it is known
   * @throws IllegalStateException if a server or the load fails
   */
  public static void measure(
      ZooKeeperSettings settings, JavaCommand java, Consumer<PartResult> results) {
    Benchmarks.run(new ZooKeeperBenchmark(settings, java, results)::run);
  }

  private void run() throws Exception {
    try (var directory = TemporaryDirectory.create("corfu-bench-");
        var limits = MachineLimits.start(java, directory.path());
        var machine = new BaselineLatencies(limits, settings.round());
        var load = LoadClient.start(java)) {
      machine.look();
      throughput(load, limits);
      if (settings.has(Row.RECIPES)) {
        recipes(load);
      }
      if (settings.has(Row.START)) {
        new ServerStart(settings, java, load, results).run();
      }
      machine.look();
      machine.report(results);
    }
  }

  private void throughput(LoadClient load, MachineLimits limits) throws Exception {
    if (!settings.has(Row.WRITES)
        && !settings.has(Row.READS)
        && !settings.has(Row.CREATES)
        && !settings.has(Row.FIGURES)) {
      return;
    }
    try (var pair = EnsemblePair.start(settings, java, settings.poll())) {
      var rounds = new EnsembleRounds(settings, load, pair);
      rounds.open();
      new Throughput(settings, rounds, results).run();
      if (settings.has(Row.FIGURES)) {
        new ScalingFigures(settings, java, limits, rounds, results).run();
      }
      rounds.close();
    }
  }

  private void recipes(LoadClient load) throws Exception {
    try (var pair = new EnsemblePair()) {
      if (settings.has(ComparedSystem.ZOOKEEPER)) {
        pair.add(RealEnsemble.start(java, ZooKeeperSettings.SERVERS, ZooKeeperSettings.HEAP_MIB));
      }
      var table = new RecipeTable(settings, load, results);
      for (Poll poll : settings.polls()) {
        if (settings.has(ComparedSystem.CORFU)) {
          pair.addFirst(
              CorfuEnsemble.start(
                  java, ZooKeeperSettings.SERVERS, ZooKeeperSettings.HEAP_MIB, poll));
        }
        table.measure(poll, pair);
        pair.closeAll(CorfuEnsemble.NAME);
      }
    }
  }
}
