package corfu.bench.reconfigure;

import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.Benchmarks;
import corfu.bench.harness.OperationTimeline;
import corfu.bench.harness.PartResult;
import corfu.bench.harness.Repeater;
import corfu.bench.harness.Samples;
import corfu.bench.plot.Plot;
import corfu.bench.plot.PlotBuilder;
import corfu.node.Supervision;
import corfu.node.local.JavaCommand;
import corfu.protocol.Address;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.runtime.Corfu;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The effect of a killed server on clients. The results are the time until the next append is done,
 * and the longest wait of a reader without need of the dead server.
 */
final class FailuresBenchmark {

  /**
   * The default supervision, with a shorter trust period so that a round does not wait long. The
   * detection of failures is as by default.
   */
  static final Supervision SUPERVISION = Supervision.DEFAULT.withTrust(Duration.ofSeconds(1));

  private static final String PART = "failures";
  private static final int PAYLOAD_BYTES = 256;
  private static final int ENTRIES = 4096;
  private static final Duration BEFORE = Duration.ofSeconds(2);
  private static final Duration AFTER = Duration.ofSeconds(4);

  /** The picture's span around the kill. */
  private static final Duration PLOT_BEFORE = Duration.ofSeconds(1);

  private static final Duration PLOT_AFTER = Duration.ofSeconds(3);
  private static final Duration PLOT_PERIOD = Duration.ofMillis(20);

  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /**
   * The allowance for an agent, which measures the required lifetime of a server in its own,
   * slightly later looks.
   */
  private static final Duration TRUST_ALLOWANCE = Duration.ofMillis(1500);

  private final ReconfigureSettings settings;
  private final BenchCluster cluster;
  private final JavaCommand java;
  private final Consumer<PartResult> results;
  private final byte[] payload = new byte[PAYLOAD_BYTES];
  private final Map<Endpoint, Integer> kills = new HashMap<>();

  FailuresBenchmark(
      ReconfigureSettings settings,
      BenchCluster cluster,
      JavaCommand java,
      Consumer<PartResult> results) {
    this.settings = settings;
    this.cluster = cluster;
    this.java = java;
    this.results = results;
  }

  /** The server to kill. */
  private enum Victim {
    /** The server of a log unit and of no other role. */
    UNIT("a log unit dies"),

    /** The server of the sequencer, of a layout server and of a log unit. */
    SEQUENCER("the sequencer's server dies");

    private final String text;

    Victim(String text) {
      this.text = text;
    }

    Endpoint of(Layout layout, Map<Endpoint, Integer> kills) {
      Endpoint sequencer = layout.sequencers().getFirst();
      return this == SEQUENCER
          ? sequencer
          : layout.openSegment().units().stream()
              .filter(unit -> !unit.equals(sequencer) && !layout.layoutServers().contains(unit))
              .min((a, b) -> kills.getOrDefault(a, 0) - kills.getOrDefault(b, 0))
              .orElseThrow();
    }
  }

  /**
   * The observations of one kill.
   *
   * @param restartNanos the processor time of the server's next process until it was seen to serve
   */
  private record Outage(
      long killedNanos, OperationTimeline appends, OperationTimeline reads, long restartNanos) {

    long untilNextAppend() {
      return longest(appends, AFTER).end() - killedNanos;
    }

    long longestRead() {
      return longest(reads, AFTER).nanos();
    }

    /**
     * Returns the longest read in a period without a failure: the effect of the machine on a
     * reader.
     */
    long longestReadBefore() {
      return reads.longest(killedNanos - BEFORE.toNanos() / 2, killedNanos).nanos();
    }

    private OperationTimeline.Span longest(OperationTimeline timeline, Duration span) {
      return timeline.longest(killedNanos, killedNanos + span.toNanos());
    }
  }

  void run() throws Exception {
    for (Victim victim : Victim.values()) {
      Samples appends = new Samples();
      Samples reads = new Samples();
      Samples readsBefore = new Samples();
      Samples restarts = new Samples();
      for (int i = 0; i < settings.kills(); i++) {
        Outage outage = round(victim);
        appends.add(outage.untilNextAppend());
        reads.add(outage.longestRead());
        readsBefore.add(outage.longestReadBefore());
        restarts.add(outage.restartNanos());
        if (victim == Victim.UNIT && i == 0) {
          plot(outage);
        }
      }
      results.accept(appends.times(PART, victim.text + ": until the next append"));
      results.accept(reads.times(PART, victim.text + ": longest read of others"));
      results.accept(readsBefore.times(PART, "(longest read before)"));
      results.accept(restarts.times(PART, "(processor time of its restart)"));
    }
  }

  private Outage round(Victim kind) throws Exception {
    Layout layout = awaitHealth();
    Endpoint victim = kind.of(layout, kills);
    List<Address> elsewhere = entriesElsewhere(layout, victim);
    try (Corfu writer = cluster.connect();
        Corfu reader = cluster.connect();
        var appends = Repeater.start("appender", () -> writer.log().append(payload));
        var reads = Repeater.start("reader", () -> reader.log().read(anyOf(elsewhere)))) {
      cluster.world().pause(BEFORE);
      long killed = cluster.kill(victim);
      kills.merge(victim, 1, Integer::sum);
      cluster.world().pause(AFTER);
      OperationTimeline written = appends.stop();
      OperationTimeline read = reads.stop();
      Duration restart = cluster.restart(java);
      return new Outage(killed, written, read, restart.toNanos());
    }
  }

  private Address anyOf(List<Address> addresses) {
    return addresses.get(cluster.world().random().nextInt(addresses.size()));
  }

  /** Returns addresses of entries on other units than the victim. */
  private List<Address> entriesElsewhere(Layout layout, Endpoint victim) {
    List<CompletableFuture<Address>> written = new ArrayList<>();
    for (int i = 0; i < ENTRIES; i++) {
      written.add(cluster.corfu().log().appendAsync(ByteBuffer.wrap(payload)));
    }
    return written.stream()
        .map(CompletableFuture::join)
        .filter(address -> !layout.chainOf(address.value()).tail().equals(victim))
        .toList();
  }

  /** Waits until no unit is missing, no copy runs, and a trusted spare exists. */
  private Layout awaitHealth() {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      boolean allAnswer =
          cluster.corfu().servers().stream().allMatch(report -> report.status().isPresent());
      Layout layout = cluster.corfu().layout();
      if (allAnswer
          && layout.openSegment().units().size() == layout.wanted().units()
          && layout.segments().stream().noneMatch(segment -> segment.hasTarget())
          && !layout.spares().isEmpty()) {
        layout.spares().forEach(this::awaitTrust);
        return layout;
      }
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(
            "the cluster has not recovered within " + PATIENCE.toSeconds() + " s: " + layout);
      }
      cluster.world().pause(POLL);
    }
  }

  /**
   * Waits until the spare is trusted. A server that fails repeatedly must live twice as long each
   * time before it is used again.
   */
  private void awaitTrust(Endpoint spare) {
    int dropped = kills.getOrDefault(spare, 0);
    Duration needed = SUPERVISION.trust().multipliedBy(1L << Math.max(0, dropped - 1));
    cluster.world().pause(needed.plus(TRUST_ALLOWANCE));
  }

  private void plot(Outage outage) throws IOException {
    PlotBuilder curves = new PlotBuilder();
    add(curves, "appends a second", outage.appends(), outage.killedNanos());
    add(curves, "reads of other units a second", outage.reads(), outage.killedNanos());
    Plot plot = curves.plot("A log unit is killed", Plot.Across.TIME, "seconds since the kill");
    Benchmarks.show(plot, settings.plot(), results);
  }

  private static void add(
      PlotBuilder curves, String panel, OperationTimeline timeline, long killedNanos) {
    long period = PLOT_PERIOD.toNanos();
    int periods = Math.toIntExact(PLOT_BEFORE.plus(PLOT_AFTER).toNanos() / period);
    long[] counts = timeline.counts(killedNanos - PLOT_BEFORE.toNanos(), period, periods);
    curves.addRates(panel, -PLOT_BEFORE.toNanos() / 1e9, period / 1e9, counts);
  }
}
