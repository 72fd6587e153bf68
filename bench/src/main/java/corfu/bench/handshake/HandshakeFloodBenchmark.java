package corfu.bench.handshake;

import corfu.bench.baseline.ChildProcess;
import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.InterleavedRounds;
import corfu.bench.harness.Measurement;
import corfu.bench.harness.PartResult;
import corfu.bench.harness.Workload;
import corfu.node.local.JavaCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.HdrHistogram.Recorder;

/**
 * Lone appends of an established client while another process begins handshakes that fail. They
 * take turns with lone appends on a quiet machine, and with lone appends while the same process
 * floods a socket of nobody. The last shows what the flood costs the machine, and not the servers.
 */
public final class HandshakeFloodBenchmark {

  private static final String PART = "handshakes";

  private HandshakeFloodBenchmark() {}

  /**
   * The settings of a run.
   *
   * @param perSecond the handshakes in a second, 1 or more
   * @param rounds the number of turns of each workload, 1 or more
   * @param round the length of a turn
   */
  public record Settings(int perSecond, int rounds, Duration round) {
    public Settings {
      if (perSecond < 1 || rounds < 1 || round.isNegative() || round.isZero()) {
        throw new IllegalArgumentException(
            "handshakes, rounds and the length of a turn are above 0");
      }
    }
  }

  /**
   * Runs the benchmark.
   *
   * @param java starts processes
   * @param cluster a cluster with TLS; its first server is flooded
   * @param appends the lone appends
   * @param settings the rates and the turns
   * @param results receives each finding as soon as it is known
   */
  public static void run(
      JavaCommand java,
      BenchCluster cluster,
      Workload appends,
      Settings settings,
      Consumer<PartResult> results)
      throws Exception {
    try (var idle = ChildProcess.start(java, AcceptOnlyMain.class);
        var flood = HandshakeFlood.start(java)) {
      int rate = settings.perSecond();
      int server = cluster.endpoints().getFirst().port();
      var quiet = new DuringFlood(appends, flood, OptionalInt.empty(), rate);
      var beside = new DuringFlood(appends, flood, OptionalInt.of(idle.port()), rate);
      var flooded = new DuringFlood(appends, flood, OptionalInt.of(server), rate);
      List<Measurement> seen =
          InterleavedRounds.run(
              List.of(quiet, beside, flooded), settings.rounds(), settings.round());
      report(seen, flooded, results);
    }
  }

  private static void report(
      List<Measurement> seen, DuringFlood flooded, Consumer<PartResult> results) {
    String lone = "lone append, ";
    results.accept(seen.get(0).times(PART, lone + "no flood", OptionalDouble.empty()));
    results.accept(
        seen.get(1)
            .times(
                PART,
                lone + "%,d connections a second to a socket of nobody".formatted(flooded.rate),
                OptionalDouble.empty()));
    results.accept(
        seen.get(2)
            .times(
                PART,
                lone + "%,d failing handshakes a second".formatted(flooded.rate),
                OptionalDouble.of(seen.get(1).millis(50))));
    results.accept(
        new PartResult.Values(
            PART,
            "p99 during the flood of handshakes",
            List.of(
                new PartResult.Value("toSocketOfNobody", ratioOfP99(seen, 1)),
                new PartResult.Value("toNoFlood", ratioOfP99(seen, 0)),
                new PartResult.Value("attemptsPerSecond", flooded.attemptsPerSecond()),
                new PartResult.Value("acceptedPerSecond", flooded.acceptedPerSecond()))));
  }

  private static double ratioOfP99(List<Measurement> seen, int other) {
    return seen.get(2).millis(99) / seen.get(other).millis(99);
  }

  /** Appends during a flood. */
  private static final class DuringFlood implements Workload {

    private final Workload appends;
    private final HandshakeFlood flood;
    private final OptionalInt port;
    private final int rate;
    private final List<HandshakeFlood.Count> counts = new ArrayList<>();
    private long millis;

    DuringFlood(Workload appends, HandshakeFlood flood, OptionalInt port, int rate) {
      this.appends = appends;
      this.flood = flood;
      this.port = port;
      this.rate = rate;
    }

    @Override
    public long run(long nanos, Recorder latencies) throws Exception {
      if (port.isEmpty()) {
        return appends.run(nanos, latencies);
      }
      long length = TimeUnit.NANOSECONDS.toMillis(nanos);
      flood.begin(port.getAsInt(), rate, length);
      try {
        return appends.run(nanos, latencies);
      } finally {
        ended(flood.await(), length);
      }
    }

    private void ended(HandshakeFlood.Count count, long length) {
      counts.add(count);
      millis += length;
    }

    @Override
    public void rest() {
      appends.rest();
    }

    double attemptsPerSecond() {
      return 1e3 * counts.stream().mapToLong(HandshakeFlood.Count::attempts).sum() / millis;
    }

    double acceptedPerSecond() {
      return 1e3 * counts.stream().mapToLong(HandshakeFlood.Count::accepted).sum() / millis;
    }
  }
}
