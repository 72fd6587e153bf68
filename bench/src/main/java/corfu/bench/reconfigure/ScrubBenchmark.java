package corfu.bench.reconfigure;

import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.ClosedLoop;
import corfu.bench.harness.Measurement;
import corfu.bench.harness.PartResult;
import corfu.bench.harness.Workload;
import corfu.node.Supervision;
import corfu.node.local.JavaCommand;
import corfu.protocol.Address;
import corfu.protocol.message.LogUnitReply;
import corfu.roles.logunit.options.ScrubRate;
import corfu.roles.logunit.options.UnitMode;
import corfu.runtime.Corfu;
import corfu.runtime.Log;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The effect of scrubbing at the default rate on appends. A cluster whose units scrub and one whose
 * units do not take turns. Both hold the same entries. Both have been restarted, because a unit's
 * first round of scrubbing begins at its start. The processes of the idle cluster are suspended.
 */
final class ScrubBenchmark {

  private static final String PART = "scrub";
  private static final int NODES = 2;
  private static final int STORED_BYTES = 4096;
  private static final int PAYLOAD_BYTES = 256;
  private static final int CHUNK = 1024;
  private static final int IN_FLIGHT = 64;
  private static final int WARM_UPS = 3;
  private static final double MEBI = 1 << 20;

  /** The time after a resume, for leases and for work that has piled up. */
  private static final Duration AWAKENING = Duration.ofSeconds(1);

  private final int rounds;
  private final Duration round;
  private final JavaCommand java;
  private final Consumer<PartResult> results;

  /** One of the two clusters, and its measurements. */
  private record Side(BenchCluster cluster, Workload appends, Measurement seen) {}

  ScrubBenchmark(int rounds, Duration round, JavaCommand java, Consumer<PartResult> results) {
    this.rounds = rounds;
    this.round = round;
    this.java = java;
    this.results = results;
  }

  void run() throws Exception {
    try (var scrubbing = BenchCluster.start(java, shape(ScrubRate.DEFAULT));
        var plain = BenchCluster.start(java, shape(ScrubRate.OFF))) {
      Side with = new Side(scrubbing, appends(scrubbing.corfu().log()), new Measurement());
      Side without = new Side(plain, appends(plain.corfu().log()), new Measurement());
      for (Side side : List.of(without, with)) {
        fill(side.cluster());
        startAgain(side.cluster());
      }
      scrubbing.standStill();
      plain.standStill();
      try {
        long before = race(with, without);
        report(with, without, before);
      } finally {
        scrubbing.goOn();
        plain.goOn();
      }
    }
  }

  private static BenchCluster.Shape shape(ScrubRate rate) {
    return BenchCluster.Shape.of(NODES, NODES, UnitMode.DURABLE)
        .with(Supervision.DEFAULT.withAgent(false))
        .with(rate);
  }

  private void startAgain(BenchCluster cluster) {
    cluster.endpoints().forEach(cluster::kill);
    cluster.restart(java);
    var unused = cluster.corfu().log().append(new byte[PAYLOAD_BYTES]);
  }

  /**
   * Appends more entries than the units can scrub during the benchmark. Otherwise they would
   * finish.
   */
  private void fill(BenchCluster cluster) {
    Log log = cluster.corfu().log();
    long seconds = (rounds + WARM_UPS + 2) * (round.plus(AWAKENING).toSeconds() + 1) + 20;
    byte[] payload = new byte[STORED_BYTES];
    long bytes = ScrubRate.DEFAULT.bytesPerSecond() * seconds;
    for (long written = 0; written < bytes; written += (long) CHUNK * STORED_BYTES) {
      List<CompletableFuture<Address>> chunk = new ArrayList<>();
      for (int i = 0; i < CHUNK; i++) {
        chunk.add(log.appendAsync(ByteBuffer.wrap(payload)));
      }
      chunk.forEach(CompletableFuture::join);
    }
  }

  private static Workload appends(Log log) {
    byte[] payload = new byte[PAYLOAD_BYTES];
    return new ClosedLoop(
        1,
        IN_FLIGHT,
        new ClosedLoop.Request() {
          @Override
          public void await() {
            log.append(payload);
          }

          @Override
          public CompletableFuture<?> start() {
            return log.appendAsync(ByteBuffer.wrap(payload));
          }
        });
  }

  /**
   * Runs both sides in turns, with alternating order. The first rounds warm up.
   *
   * @return the bytes that were scrubbed by the end of the warm-up
   */
  private long race(Side with, Side without) throws Exception {
    long before = 0;
    for (int i = 0; i < WARM_UPS + rounds; i++) {
      boolean isWarmUp = i < WARM_UPS;
      for (Side side : i % 2 == 0 ? List.of(with, without) : List.of(without, with)) {
        side.cluster().goOn();
        side.cluster().world().pause(AWAKENING);
        (isWarmUp ? new Measurement() : side.seen()).round(side.appends(), round.toNanos());
        before = isWarmUp && side.equals(with) ? readBytes(with) : before;
        side.cluster().standStill();
      }
    }
    return before;
  }

  private static List<LogUnitReply.Scrubbed> scrubbed(Corfu corfu) {
    return corfu.servers().stream().flatMap(report -> report.scrubbed().stream()).toList();
  }

  private static long readBytes(Side side) {
    return scrubbed(side.cluster().corfu()).stream()
        .mapToLong(LogUnitReply.Scrubbed::readBytes)
        .sum();
  }

  private void report(Side with, Side without, long before) {
    with.cluster().goOn();
    with.cluster().world().pause(AWAKENING);
    double read = readBytes(with) - before;
    if (scrubbed(with.cluster().corfu()).stream()
        .anyMatch(unit -> unit.doneBytes() == unit.roundBytes())) {
      throw new IllegalStateException("a unit was through with scrubbing before the appends were");
    }
    Duration scrubbed = round.plus(AWAKENING).multipliedBy(rounds).plus(AWAKENING);
    double seconds = (double) scrubbed.toMillis() / 1000;
    results.accept(
        new PartResult.Rate(
            PART,
            "appends beside scrubbing at up to %d MiB/s"
                .formatted(ScrubRate.DEFAULT.bytesPerSecond() >> 20),
            "appends",
            with.seen().perSecond(),
            "the same without",
            without.seen().perSecond()));
    results.accept(
        new PartResult.Values(
            PART,
            "what was scrubbed meanwhile",
            List.of(
                new PartResult.Value("mebibytesPerSecondAndUnit", read / NODES / seconds / MEBI))));
  }
}
