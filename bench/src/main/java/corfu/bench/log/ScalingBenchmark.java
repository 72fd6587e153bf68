package corfu.bench.log;

import corfu.bench.baseline.FrameSizes;
import corfu.bench.baseline.MachineLimits;
import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.Benchmarks;
import corfu.bench.harness.ClosedLoop;
import corfu.bench.harness.InterleavedRounds;
import corfu.bench.harness.LimitComparison;
import corfu.bench.harness.MachineLimit;
import corfu.bench.harness.Measurement;
import corfu.bench.harness.PartResult;
import corfu.bench.harness.Workload;
import corfu.bench.model.ClusterModel;
import corfu.bench.model.Costs;
import corfu.bench.plot.Plot;
import corfu.bench.plot.PlotBuilder;
import corfu.node.local.JavaCommand;
import corfu.protocol.Address;
import corfu.roles.logunit.options.UnitMode;
import corfu.runtime.Log;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.HdrHistogram.Recorder;

/**
 * Throughput against the number of log units (CORFU, figure 7). It is measured with all units on
 * this machine, one process each. This shows the cost of more units without free cores. It is also
 * simulated with a machine for each unit, by {@link ClusterModel}, from the costs of processors and
 * disk in the same run.
 */
public final class ScalingBenchmark {

  private static final String MEASURED = "measured";
  private static final String SIMULATED = "simulated";
  private static final int DEPTH = 1024;
  private static final int LOADED = 20_000;

  /** The slice of a warm-up. The log is trimmed after each slice. */
  private static final Duration SLICE = Duration.ofSeconds(1);

  /** The batches of a client: four, each with a quarter of the depth under this load. */
  private static final int BATCHES = 4;

  private static final double SIMULATED_SECONDS = 0.25;
  private static final double NANOS_A_SECOND = 1e9;
  private static final double BITS_A_NANO_AND_GIGABIT = 8;

  /** The time from one machine to another in one data centre, in nanoseconds. */
  private static final double WIRE_NANOS = 20_000;

  private final ScalingSettings settings;
  private final JavaCommand java;
  private final Consumer<PartResult> results;
  private final PlotBuilder curves = new PlotBuilder();

  private ScalingBenchmark(
      ScalingSettings settings, JavaCommand java, Consumer<PartResult> results) {
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
      ScalingSettings settings, JavaCommand java, Consumer<PartResult> results) {
    Benchmarks.run(new ScalingBenchmark(settings, java, results)::run);
  }

  private void run() throws Exception {
    for (int units : settings.units()) {
      measured(units);
    }
    if (!settings.simulated().isEmpty()) {
      simulated(costs());
    }
    String title =
        "Throughput of more log units: %,d B, %s, simulated with %.3g Gbit/s each"
            .formatted(settings.sizeBytes(), settings.mode().text(), settings.nicGigabits());
    Plot plot = curves.plot(title, Plot.Across.SETTING, "log units");
    Benchmarks.show(plot, settings.plot(), results);
  }

  private void measured(int units) throws Exception {
    int replicas = Math.min(2, units);
    try (var cluster =
            BenchCluster.start(java, BenchCluster.Shape.of(units, replicas, settings.mode()));
        var limits = MachineLimits.start(java, cluster.directory())) {
      Log log = cluster.corfu().log();
      RandomGenerator random = cluster.world().random();
      MachineLimit echo = limits.echo(FrameSizes.append(settings.sizeBytes()), DEPTH);
      List<Measurement> seen;
      Appends many = new Appends(log, DEPTH);
      try (var echoes = echo.workload()) {
        warmUp(many, settings.warmup());
        var read =
            loop(DEPTH / 4, () -> log.readAsync(new Address(many.first + random.nextInt(LOADED))));
        seen = InterleavedRounds.run(List.of(many, read, echoes), 3, third(settings.round()));
      }
      for (int i = 0; i < 2; i++) {
        String what = (i == 0 ? "appends" : "random reads") + ", %d units".formatted(units);
        double rate = seen.get(i).perSecond();
        results.accept(
            new PartResult.Rate(
                MEASURED, what, "entries", rate, echo.name(), seen.get(2).perSecond()));
        curves.add(
            "entries a second, all units on this machine",
            i == 0 ? "appends" : "reads",
            units,
            rate);
      }
    }
  }

  private static Duration third(Duration whole) {
    return whole.dividedBy(3);
  }

  /** Trims its entries between rounds, because units in memory hold few. */
  private final class Appends implements Workload {
    private final Log log;
    private final ClosedLoop loop;

    /** The first of {@code LOADED} entries for reads. Set by each rest. */
    private long first;

    private Appends(Log log, int depth) {
      this.log = log;
      byte[] payload = new byte[settings.sizeBytes()];
      this.loop = loop(depth, () -> log.appendAsync(ByteBuffer.wrap(payload)));
    }

    @Override
    public long run(long nanos, Recorder latencies) throws Exception {
      return loop.run(nanos, latencies);
    }

    @Override
    public void rest() {
      Address tail = log.tail();
      log.prefixTrim(tail);
      byte[] payload = new byte[settings.sizeBytes()];
      List<CompletableFuture<Address>> loaded = new ArrayList<>();
      for (int i = 0; i < LOADED; i++) {
        loaded.add(log.appendAsync(ByteBuffer.wrap(payload)));
      }
      loaded.forEach(CompletableFuture::join);
      first = tail.value();
    }
  }

  private static void warmUp(Workload workload, Duration time) throws Exception {
    for (Duration left = time; left.isPositive(); left = left.minus(SLICE)) {
      Duration slice = left.compareTo(SLICE) < 0 ? left : SLICE;
      new Measurement().round(workload, slice.toNanos());
      workload.rest();
    }
  }

  /** Starts a request. */
  @FunctionalInterface
  private interface Asking {
    CompletableFuture<?> start();
  }

  private static ClosedLoop loop(int depth, Asking asking) {
    return new ClosedLoop(
        1,
        depth,
        new ClosedLoop.Request() {
          @Override
          public void await() {
            asking.start().join();
          }

          @Override
          public CompletableFuture<?> start() {
            return asking.start();
          }
        });
  }

  /**
   * Measures the costs of one client and one unit, which is the sequencer, too. Each lone append is
   * a message for the sequencer and one for the unit. Many appends share messages.
   */
  private Costs costs() throws Exception {
    try (var cluster = BenchCluster.start(java, BenchCluster.Shape.of(1, 1, UnitMode.MEMORY));
        var limits = MachineLimits.start(java, cluster.directory())) {
      Log log = cluster.corfu().log();
      Used many = used(cluster, new Appends(log, DEPTH));
      Used lone = used(cluster, new Appends(log, 1));
      double sync = 0;
      double diskByte = 0;
      if (settings.mode() == UnitMode.DURABLE) {
        int bytes = FrameSizes.stored(settings.sizeBytes());
        sync = 1e3 * seen(limits.syncedWrites(bytes, 1)).micros(50);
        diskByte = NANOS_A_SECOND / (bytes * seen(limits.sequentialWrites(bytes)).perSecond());
      }
      Costs costs =
          new Costs(
              lone.clientNanos() / 2,
              many.clientNanos(),
              lone.serverNanos() / 2,
              many.serverNanos(),
              lone.serverNanos() / 2,
              sync,
              diskByte,
              BITS_A_NANO_AND_GIGABIT / settings.nicGigabits(),
              WIRE_NANOS);
      report(costs);
      return costs;
    }
  }

  private Measurement seen(MachineLimit limit) throws Exception {
    try (var workload = limit.workload()) {
      Measurement measured = new Measurement();
      measured.round(workload, third(settings.round()).toNanos());
      return measured;
    }
  }

  /** The processor time of an append. */
  private record Used(double clientNanos, double serverNanos) {}

  private Used used(BenchCluster cluster, Workload appends) throws Exception {
    warmUp(appends, settings.warmup().multipliedBy(2)); // otherwise the compilers' time would count
    Duration client = LimitComparison.cpuOf(ProcessHandle.current());
    Duration server = cluster.cpu();
    long count = appends.run(third(settings.round()).toNanos(), new Recorder(3));
    var used =
        new Used(
            (double) LimitComparison.cpuOf(ProcessHandle.current()).minus(client).toNanos() / count,
            (double) cluster.cpu().minus(server).toNanos() / count);
    appends.rest();
    return used;
  }

  private void report(Costs costs) {
    results.accept(
        new PartResult.Values(
            "costs",
            "nanoseconds, as measured here; the network's are given",
            List.of(
                new PartResult.Value("clientMessage", costs.clientMessage()),
                new PartResult.Value("clientEntry", costs.clientEntry()),
                new PartResult.Value("unitMessage", costs.unitMessage()),
                new PartResult.Value("unitEntry", costs.unitEntry()),
                new PartResult.Value("tokenRequest", costs.token()),
                new PartResult.Value("sync", costs.sync()),
                new PartResult.Value("diskByte", costs.diskByte()),
                new PartResult.Value("nicByte", costs.nicByte()),
                new PartResult.Value("wire", costs.wire()))));
  }

  /** Simulates clusters with as many client machines as units. */
  private void simulated(Costs costs) {
    for (boolean isRead : List.of(false, true)) {
      for (int units : settings.simulated()) {
        var load =
            new ClusterModel.Load(
                units,
                2,
                units,
                BATCHES,
                DEPTH / BATCHES,
                FrameSizes.stored(settings.sizeBytes()),
                isRead);
        double rate = ClusterModel.perSecond(costs, load, SIMULATED_SECONDS);
        String what = (isRead ? "reads" : "appends") + ", %d units".formatted(units);
        results.accept(
            new PartResult.Values(
                SIMULATED,
                what + " on machines of their own, simulated",
                List.of(
                    new PartResult.Value("units", units),
                    new PartResult.Value("perSecond", rate))));
        curves.add(
            "entries a second, each unit on a machine of its own, simulated",
            isRead ? "reads" : "appends",
            units,
            rate);
      }
    }
  }
}
