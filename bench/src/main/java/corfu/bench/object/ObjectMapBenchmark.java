package corfu.bench.object;

import corfu.bench.baseline.FrameSizes;
import corfu.bench.baseline.MachineLimits;
import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.BlockingCall;
import corfu.bench.harness.ClosedLoop;
import corfu.bench.harness.InterleavedRounds;
import corfu.bench.harness.MachineLimit;
import corfu.bench.harness.Measurement;
import corfu.bench.harness.PartResult;
import corfu.bench.harness.Workload;
import corfu.runtime.Log;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/**
 * Changes and linearizable reads of one map, beside their parts: appends to the log, and requests
 * to the sequencer for the tail. All from as many threads.
 */
final class ObjectMapBenchmark {

  private static final String PART = "map";
  private static final double MICRO = 1e3;

  private final ObjectsSettings settings;
  private final BenchCluster cluster;
  private final MachineLimits limits;
  private final Consumer<PartResult> results;

  ObjectMapBenchmark(
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
    var shared =
        SharedMap.open(cluster.corfu(), "bench map", settings.keys(), settings.valueBytes());
    shared.fill(settings.keys());
    measure(shared, 1);
    if (settings.threads() > 1) {
      measure(shared, settings.threads());
    }
  }

  private void measure(SharedMap shared, int threads) throws Exception {
    Log log = cluster.corfu().log();
    byte[] payload = new byte[settings.valueBytes()];
    MachineLimit echo = limits.echo(FrameSizes.append(settings.valueBytes()), threads);
    try (var best = echo.workload()) {
      List<Workload> racers =
          List.of(
              loop(threads, () -> shared.map().put(shared.anyKey(), shared.value())),
              loop(threads, () -> shared.map().fastPut(shared.anyKey(), shared.value())),
              loop(threads, () -> shared.map().get(shared.anyKey())),
              loop(threads, () -> log.append(payload)),
              loop(threads, log::tail),
              best);
      report(
          threads, echo.name(), InterleavedRounds.run(racers, settings.rounds(), settings.round()));
    }
  }

  private void report(int threads, String echo, List<Measurement> seen) {
    Measurement append = seen.get(3);
    Measurement tail = seen.get(4);
    Measurement machine = seen.get(5);
    report(threads, "put", seen.get(0), "appends to the log", append, machine);
    report(threads, "fastPut", seen.get(1), "appends to the log", append, machine);
    report(threads, "get", seen.get(2), "tails from the sequencer", tail, machine);
    results.accept(rate("append", threads, append, echo, machine));
    results.accept(rate("tail", threads, tail, echo, machine));
  }

  private void report(
      int threads,
      String what,
      Measurement ours,
      String limit,
      Measurement other,
      Measurement machine) {
    if (threads == 1) {
      var best = OptionalDouble.of(machine.micros(50) / MICRO);
      results.accept(ours.times(PART, name(what, threads), best));
    }
    results.accept(rate(what, threads, ours, limit, other));
  }

  private static PartResult rate(
      String what, int threads, Measurement ours, String limit, Measurement other) {
    return new PartResult.Rate(
        PART, name(what, threads), "calls", ours.perSecond(), limit, other.perSecond());
  }

  private static String name(String what, int threads) {
    return threads == 1 ? what + ", 1 thread" : what + ", %d threads".formatted(threads);
  }

  private static Workload loop(int threads, Runnable call) {
    return new ClosedLoop(threads, 1, new BlockingCall(call));
  }
}
