package corfu.bench.object;

import corfu.bench.baseline.Echo;
import corfu.bench.baseline.MachineLimits;
import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.BlockingCall;
import corfu.bench.harness.ClosedLoop;
import corfu.bench.harness.InterleavedRounds;
import corfu.bench.harness.MachineLimit;
import corfu.bench.harness.Measurement;
import corfu.bench.harness.PartResult;
import corfu.bench.harness.Workload;
import corfu.runtime.Corfu;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/**
 * A new client opens a large map (dissertation, figure 5.15), by playing all its updates and from a
 * checkpoint. The limit is the time of the machine for as many bytes.
 */
final class ObjectOpenBenchmark {

  private static final String PART = "open";
  private static final int MIB = 1 << 20;
  private static final int REQUEST_BYTES = 64;
  private static final int DEPTH = 4;
  private static final double MILLI = 1e3;

  private final ObjectsSettings settings;
  private final BenchCluster cluster;
  private final MachineLimits limits;
  private final Consumer<PartResult> results;

  ObjectOpenBenchmark(
      ObjectsSettings settings,
      BenchCluster cluster,
      MachineLimits limits,
      Consumer<PartResult> results) {
    this.settings = settings;
    this.cluster = cluster;
    this.limits = limits;
    this.results = results;
  }

  void run() throws Exception {
    int keys = (int) ((long) settings.largeMebibytes() * MIB / settings.valueBytes());
    var played = SharedMap.open(cluster.corfu(), "bench played", keys, settings.valueBytes());
    played.fill(keys);
    var kept = SharedMap.open(cluster.corfu(), "bench kept", keys, settings.valueBytes());
    kept.fill(keys);
    var unused = kept.objects().checkpoint(kept.map());
    MachineLimit echo = limits.echo(new Echo.Frames(REQUEST_BYTES, MIB, 1), DEPTH);
    try (var carried = echo.workload()) {
      List<Workload> racers =
          List.of(opens("bench played", keys), opens("bench kept", keys), carried);
      List<Measurement> seen = InterleavedRounds.run(racers, settings.rounds(), settings.round());
      double best = settings.largeMebibytes() / seen.get(2).perSecond() * MILLI;
      String what = "a map of %,d MiB, %,d keys, ".formatted(settings.largeMebibytes(), keys);
      results.accept(times(what + "by playing its updates", seen.get(0), best));
      results.accept(times(what + "from a checkpoint", seen.get(1), best));
    }
  }

  private static PartResult times(String what, Measurement seen, double best) {
    return seen.times(PART, what, OptionalDouble.of(best));
  }

  private Workload opens(String name, int keys) {
    return new ClosedLoop(1, 1, new BlockingCall(() -> open(name, keys)));
  }

  private void open(String name, int keys) {
    try (Corfu other = cluster.connect()) {
      int size = SharedMap.open(other, name, keys, settings.valueBytes()).map().size();
      if (size != keys) {
        throw new IllegalStateException("a map was opened wrongly: it has " + size + " keys");
      }
    }
  }
}
