package corfu.bench.log;

import corfu.bench.baseline.ChildProcess;
import corfu.bench.baseline.DatagramCalls;
import corfu.bench.baseline.DatagramServer;
import corfu.bench.baseline.Echo;
import corfu.bench.baseline.FrameSizes;
import corfu.bench.baseline.MachineLimits;
import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.Benchmarks;
import corfu.bench.harness.BlockingCall;
import corfu.bench.harness.ClosedLoop;
import corfu.bench.harness.InterleavedRounds;
import corfu.bench.harness.MachineLimit;
import corfu.bench.harness.Measurement;
import corfu.bench.harness.PartResult;
import corfu.bench.harness.Workload;
import corfu.bench.plot.Plot;
import corfu.bench.plot.PlotBuilder;
import corfu.node.local.JavaCommand;
import corfu.protocol.Address;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.roles.logunit.options.UnitMode;
import corfu.runtime.Corfu;
import corfu.runtime.Log;
import corfu.transport.Transport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.HdrHistogram.Recorder;

/**
 * The latency of lone calls from end to end, and its distribution (CORFU, section 5.1): append,
 * read at a random address, fill, and tail. Units are in memory and on disk. The calls go over TCP,
 * and by {@linkplain DatagramServer datagrams} to bare roles, which is the shortest path.
 *
 * <p>The limit is an echo over the same path for each round trip that a call cannot avoid, and a
 * synced write.
 */
public final class LatencyBenchmark {

  private static final String PART = "latency";
  private static final int LOADED = 5_000;
  private static final int TOKENS = 256;
  private static final long TOKEN_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final double MICRO = 1e3;

  /** The picture shows faster calls as if they had taken this long. */
  private static final double FASTEST_MICROS = 10;

  /** The picture shows slower calls as if they had taken this long. */
  private static final double SLOWEST_MICROS = 100_000;

  private static final List<String> CALLS = List.of("append", "read", "tail", "fill");

  /** The number of workloads of one path to the units: the calls, and an echo. */
  private static final int WAY = CALLS.size() + 1;

  private final LatencySettings settings;
  private final JavaCommand java;
  private final Consumer<PartResult> results;
  private final PlotBuilder curves = new PlotBuilder();

  private LatencyBenchmark(
      LatencySettings settings, JavaCommand java, Consumer<PartResult> results) {
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
      LatencySettings settings, JavaCommand java, Consumer<PartResult> results) {
    Benchmarks.run(new LatencyBenchmark(settings, java, results)::run);
  }

  private void run() throws Exception {
    for (UnitMode mode : settings.modes()) {
      run(mode);
    }
    String title =
        "Latency of lone calls, %,d B, %d copies"
            .formatted(settings.sizeBytes(), settings.replicas());
    Plot plot = curves.plot(title, Plot.Across.DURATION, "latency of a call");
    Benchmarks.show(plot, settings.plot(), results);
  }

  private void run(UnitMode mode) throws Exception {
    int replicas = settings.replicas();
    try (var cluster = BenchCluster.start(java, BenchCluster.Shape.of(replicas, replicas, mode));
        var limits = MachineLimits.start(java, cluster.directory());
        Transport transport = cluster.openTransport();
        var bare = BareRoles.start(java, mode, replicas, cluster.directory())) {
      Log log = cluster.corfu().log();
      DatagramCalls datagrams = bare.calls();
      byte[] payload = new byte[settings.sizeBytes()];
      load(() -> log.append(payload));
      load(() -> datagrams.append(payload));
      RandomGenerator random = cluster.world().random();
      Echo.Frames frames = FrameSizes.append(settings.sizeBytes());
      MachineLimit echo = limits.echo(frames, 1);
      MachineLimit sync = limits.syncedWrites(FrameSizes.stored(settings.sizeBytes()), 1);
      try (var echoes = echo.workload();
          var syncs = sync.workload()) {
        List<Workload> racers =
            List.of(
                loop(() -> log.append(payload)),
                loop(() -> log.read(new Address(random.nextInt(LOADED)))),
                loop(log::tail),
                new Fills(cluster.corfu(), transport),
                echoes,
                loop(() -> datagrams.append(payload)),
                loop(() -> datagrams.read(random.nextInt(LOADED))),
                loop(datagrams::tail),
                datagrams.fills(),
                loop(datagrams.echo(frames)),
                syncs);
        List<Measurement> seen = InterleavedRounds.run(racers, settings.rounds(), settings.round());
        Measurement synced = seen.getLast();
        report(mode, "over TCP", echo.name(), seen.subList(0, WAY), synced);
        report(
            mode, "by datagrams", "datagrams, " + echo.name(), seen.subList(WAY, 2 * WAY), synced);
        results.accept(synced.times(sync.name()));
      }
    }
  }

  private static void load(Runnable append) {
    for (int i = 0; i < LOADED; i++) {
      append.run();
    }
  }

  private static Workload loop(Runnable call) {
    return new ClosedLoop(1, 1, new BlockingCall(call));
  }

  /**
   * Reports one path to the units: the calls, and then the echo. An append and a fill need a round
   * trip for each copy. An append needs one more for its token.
   */
  private void report(
      UnitMode mode, String way, String echo, List<Measurement> seen, Measurement syncedWrites) {
    int copies = settings.replicas();
    int[] roundTrips = {copies + 1, 1, 1, copies};
    int[] synced = {copies, 0, 0, copies};
    Measurement echoes = seen.getLast();
    double echoMillis = echoes.micros(50) / MICRO;
    double syncMillis = mode == UnitMode.DURABLE ? syncedWrites.micros(50) / MICRO : 0;
    String panel = "%% of calls up to this latency; units %s, %s".formatted(where(mode), way);
    for (int i = 0; i < CALLS.size(); i++) {
      double best = roundTrips[i] * echoMillis + synced[i] * syncMillis;
      String what = "%s %s, units %s".formatted(CALLS.get(i), way, where(mode));
      results.accept(seen.get(i).times(PART, what, OptionalDouble.of(best)));
      distribution(panel, CALLS.get(i), seen.get(i));
    }
    results.accept(echoes.times(echo));
    distribution(panel, "echo", echoes);
  }

  private void distribution(String panel, String curve, Measurement measured) {
    for (int i = 0; i < 99 + 10; i++) {
      double percent = i < 99 ? i : 99 + (i - 99) / 10.0;
      double micros = Math.clamp(measured.micros(percent), FASTEST_MICROS, SLOWEST_MICROS);
      curves.add(panel, curve, micros, percent);
    }
  }

  private static String where(UnitMode mode) {
    return switch (mode) {
      case MEMORY -> "in memory";
      case BUFFERED -> "in the page cache";
      case DURABLE -> "on disk";
    };
  }

  /** The processes of a chain, and the calls to them. */
  private record BareRoles(List<ChildProcess> servers, DatagramCalls calls)
      implements AutoCloseable {

    static BareRoles start(JavaCommand java, UnitMode mode, int count, Path directory)
        throws IOException {
      List<ChildProcess> servers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        String disk = directory.resolve("bare-" + i).toString();
        servers.add(ChildProcess.start(java, DatagramServer.class, mode.name(), disk));
      }
      return new BareRoles(servers, DatagramCalls.to(servers));
    }

    @Override
    public void close() {
      calls.close();
      servers.forEach(ChildProcess::close);
    }
  }

  /** Fills the addresses of abandoned tokens. The time of the tokens does not count. */
  private record Fills(Corfu corfu, Transport transport) implements Workload {

    @Override
    public long run(long nanos, Recorder latencies) {
      long deadline = System.nanoTime() + nanos;
      long count = 0;
      while (System.nanoTime() < deadline) {
        long first = abandonedTokens();
        for (int i = 0; i < TOKENS && System.nanoTime() < deadline; i++) {
          long begin = System.nanoTime();
          corfu.log().fill(new Address(first + i));
          latencies.recordValue(System.nanoTime() - begin);
          count++;
        }
      }
      return count;
    }

    private long abandonedTokens() {
      Layout layout = corfu.layout();
      var request = new SequencerRequest.Next(layout.epoch(), TOKENS);
      var reply = transport.peer(layout.sequencers().getFirst()).call(request, TOKEN_TIMEOUT_NANOS);
      if (reply instanceof SequencerReply.Tokens tokens) {
        return tokens.first();
      }
      throw new IllegalStateException("the sequencer has issued no tokens: " + reply);
    }
  }
}
