package corfu.bench.zookeeper;

import corfu.bench.harness.PartResult;
import corfu.bench.harness.PartResult.Value;
import corfu.bench.zookeeper.ZooKeeperSettings.ComparedSystem;
import corfu.bench.zookeeper.load.EnsembleOrder;
import corfu.node.local.JavaCommand;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * The start of a lone server with many nodes, and its heap. The first restart is not measured: the
 * server stores a snapshot or checkpoint then, if it has not done so before.
 */
final class ServerStart {

  private static final int BYTES = 100;
  private static final int THOUSAND = 1000;
  private static final double MEBI = 1 << 20;
  private static final double NANOS_A_SECOND = 1e9;

  private final ZooKeeperSettings settings;
  private final JavaCommand java;
  private final LoadClient load;
  private final Consumer<PartResult> results;

  ServerStart(
      ZooKeeperSettings settings, JavaCommand java, LoadClient load, Consumer<PartResult> results) {
    this.settings = settings;
    this.java = java;
    this.load = load;
    this.results = results;
  }

  /** The figures of one system. */
  private record Seen(String name, double seconds, double heapMiB) {}

  void run() throws IOException, InterruptedException {
    try (var pair = new EnsemblePair()) {
      if (settings.has(ComparedSystem.CORFU)) {
        pair.add(CorfuEnsemble.start(java, 1, ZooKeeperSettings.HEAP_MIB, settings.poll()));
      }
      if (settings.has(ComparedSystem.ZOOKEEPER)) {
        pair.add(RealEnsemble.start(java, 1, ZooKeeperSettings.HEAP_MIB));
      }
      List<Seen> seen = new ArrayList<>();
      for (Ensemble ensemble : pair.all()) {
        fill(ensemble);
      }
      for (Ensemble ensemble : pair.all()) {
        seen.add(measure(ensemble));
      }
      report(seen);
    }
  }

  private int nodes() {
    return settings.nodes() * THOUSAND;
  }

  private void fill(Ensemble ensemble) throws IOException, InterruptedException {
    load.open(ensemble);
    var _ = load.carryOut(new EnsembleOrder.Fill(ensemble.name(), nodes(), BYTES));
    load.close(ensemble);
    var _ = ensemble.restart();
  }

  private Seen measure(Ensemble ensemble) throws IOException, InterruptedException {
    double[] seconds = new double[settings.rounds()];
    for (int round = 0; round < seconds.length; round++) {
      Duration took = ensemble.restart();
      seconds[round] = took.toNanos() / NANOS_A_SECOND;
    }
    load.open(ensemble);
    var _ = load.carryOut(new EnsembleOrder.Check(ensemble.name(), nodes()));
    load.close(ensemble);
    double heap = ensemble.servers().getFirst().liveHeapBytes() / MEBI;
    Arrays.sort(seconds);
    return new Seen(ensemble.name(), seconds[seconds.length / 2], heap);
  }

  private void report(List<Seen> seen) {
    List<Value> values = new ArrayList<>();
    values.add(new Value("nodes", nodes()));
    seen.forEach(each -> values.add(new Value(each.name() + "Seconds", each.seconds())));
    seen.forEach(each -> values.add(new Value(each.name() + "HeapMiB", each.heapMiB())));
    if (seen.size() == 2) {
      values.add(new Value("heapRatio", seen.getFirst().heapMiB() / seen.get(1).heapMiB()));
    }
    String what = "a server with nodes of %d B, from the start of its process".formatted(BYTES);
    results.accept(new PartResult.Values("start", what, values));
  }
}
