package corfu.bench;

import corfu.node.local.JavaCommand;
import corfu.protocol.Address;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.roles.logunit.UnitMode;
import corfu.runtime.Corfu;
import corfu.runtime.Log;
import corfu.transport.Transport;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.HdrHistogram.Recorder;

/**
 * How long a lone call takes from end to end, and how that is distributed (CORFU, section 5.1):
 * append, read at a random address, fill, and the tail, over TCP to units in memory and on disk;
 * beside an echo over TCP, which is the least that a round trip can take, as often as a call cannot
 * do without one, and a synced write.
 */
public final class LatencyBenchmark {

  private static final String PART = "latency";
  private static final int LOADED = 20_000;
  private static final int TOKENS = 256;
  private static final long TOKEN_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final double MICRO = 1e3;

  private final LatencySettings settings;
  private final JavaCommand java;
  private final Consumer<Finding> results;
  private final List<DistributionPlot.Panel> panels = new ArrayList<>();

  private LatencyBenchmark(LatencySettings settings, JavaCommand java, Consumer<Finding> results) {
    this.settings = settings;
    this.java = java;
    this.results = results;
  }

  /**
   * Measures what the settings ask for.
   *
   * @param java how to start the program whose {@code server} command is a server
   * @param results is given each finding as soon as it is known
   */
  public static void measure(
      LatencySettings settings, JavaCommand java, Consumer<Finding> results) {
    Benchmarks.run(new LatencyBenchmark(settings, java, results)::run);
  }

  private void run() throws Exception {
    for (UnitMode mode : settings.modes()) {
      run(mode);
    }
    if (settings.plot().isPresent()) {
      String title =
          "Lone calls from end to end, %,d B, %d copies"
              .formatted(settings.sizeBytes(), settings.replicas());
      Files.writeString(settings.plot().get(), new DistributionPlot(title, panels).toSvg());
    }
  }

  private void run(UnitMode mode) throws Exception {
    int replicas = settings.replicas();
    try (var cluster = BenchCluster.start(java, BenchCluster.Shape.of(replicas, replicas, mode));
        var limits = Limits.start(java, cluster.directory());
        Transport transport = cluster.openTransport()) {
      Log log = cluster.corfu().log();
      byte[] payload = new byte[settings.sizeBytes()];
      load(log, payload);
      RandomGenerator random = cluster.world().random();
      Limit echo = limits.echo(FrameSizes.append(settings.sizeBytes()), 1);
      Limit sync = limits.syncedWrites(FrameSizes.stored(settings.sizeBytes()), 1);
      try (var echoes = echo.workload();
          var syncs = sync.workload()) {
        List<Workload> racers =
            List.of(
                loop(() -> log.append(payload)),
                loop(() -> log.read(new Address(random.nextInt(LOADED)))),
                loop(log::tail),
                new Fills(cluster.corfu(), transport),
                echoes,
                syncs);
        List<Measured> seen = Race.run(racers, settings.rounds(), settings.round());
        report(mode, echo.name(), sync.name(), seen);
      }
    }
  }

  private static void load(Log log, byte[] payload) {
    for (int i = 0; i < LOADED; i++) {
      log.append(payload);
    }
  }

  private static Workload loop(Runnable call) {
    return new ClosedLoop(1, 1, new ObjectMapBenchmark.Calls(call));
  }

  /** An append, and a fill, take a round trip for each copy; an append one more for its token. */
  private void report(UnitMode mode, String echo, String sync, List<Measured> seen) {
    List<String> names = List.of("append", "read", "tail", "fill");
    int copies = settings.replicas();
    int[] roundTrips = {copies + 1, 1, 1, copies};
    int[] synced = {copies, 0, 0, copies};
    double echoMillis = seen.get(4).micros(50) / MICRO;
    double syncMillis = mode == UnitMode.DURABLE ? seen.get(5).micros(50) / MICRO : 0;
    List<DistributionPlot.Curve> curves = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      double best = roundTrips[i] * echoMillis + synced[i] * syncMillis;
      String what = "%s, units %s".formatted(names.get(i), where(mode));
      results.accept(seen.get(i).times(PART, what, OptionalDouble.of(best)));
      curves.add(new DistributionPlot.Curve(names.get(i), seen.get(i)));
    }
    results.accept(seen.get(4).times(echo));
    results.accept(seen.get(5).times(sync));
    curves.add(new DistributionPlot.Curve("echo", seen.get(4)));
    panels.add(new DistributionPlot.Panel("units " + where(mode), curves));
  }

  private static String where(UnitMode mode) {
    return switch (mode) {
      case MEMORY -> "in memory";
      case BUFFERED -> "in the page cache";
      case DURABLE -> "on disk";
    };
  }

  /** Addresses of writers who took tokens and have gone; tokens are not part of the time. */
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
