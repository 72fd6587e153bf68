package corfu.bench.reconfigure;

import corfu.bench.baseline.SequentialWrites;
import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.ClosedLoop;
import corfu.bench.harness.Measurement;
import corfu.bench.harness.PartResult;
import corfu.bench.harness.Workload;
import corfu.protocol.Address;
import corfu.protocol.Endpoint;
import corfu.protocol.Limits;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutSegment;
import corfu.protocol.layout.Plan;
import corfu.runtime.Log;
import corfu.runtime.rebuild.Rebuild;
import corfu.runtime.rebuild.RebuildOptions;
import corfu.runtime.reconfiguration.ClusterHealth;
import corfu.runtime.reconfiguration.Observers;
import corfu.runtime.reconfiguration.Reconfiguration;
import corfu.transport.Transport;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The rate of an unthrottled copy of a segment to a new unit. Also the effect of a copy at the
 * default rate on concurrent appends.
 *
 * <p>Two units hold everything, and a third one is the spare. In each round one of the two retires.
 * The spare replaces it in the open segment at once, and the closed segment is copied to the spare.
 */
final class RebuildBenchmark {

  private static final String PART = "rebuild";
  private static final int PAYLOAD_BYTES = 4096;
  private static final int CHUNK = 1024;
  private static final int IN_FLIGHT = 64;
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration SUSPICION = Duration.ofMillis(400);
  private static final Duration POLL = Duration.ofMillis(100);

  private final ReconfigureSettings settings;
  private final BenchCluster cluster;
  private final Consumer<PartResult> results;
  private final Transport transport;
  private final Observers observers;
  private final Reconfiguration reconfiguration;
  private final byte[] payload = new byte[PAYLOAD_BYTES];

  RebuildBenchmark(
      ReconfigureSettings settings,
      BenchCluster cluster,
      Transport transport,
      Consumer<PartResult> results) {
    this.settings = settings;
    this.cluster = cluster;
    this.transport = transport;
    this.results = results;
    this.observers = new Observers(cluster.world(), transport, SUSPICION, REQUEST_TIMEOUT);
    this.reconfiguration =
        new Reconfiguration(cluster.world(), transport, REQUEST_TIMEOUT, TIMEOUT);
  }

  void run() throws Exception {
    unthrottled();
    throttled();
  }

  private void unthrottled() throws Exception {
    Measurement copies = new Measurement();
    Measurement writes = new Measurement();
    Path file = cluster.directory().resolve("sequential");
    try (var limit = new SequentialWrites(file, 1)) {
      for (int i = 0; i <= settings.copies(); i++) {
        boolean isWarmUp = i == 0;
        Copying copying =
            new Copying(
                retireOne((long) settings.copyMebibytes() << 20), RebuildOptions.UNTHROTTLED);
        Workload copy = (nanos, latencies) -> copying.run();
        (isWarmUp ? new Measurement() : copies).round(copy, 0);
        copying.finish();
        (isWarmUp ? new Measurement() : writes).round(limit, LIMIT_NANOS);
      }
    }
    results.accept(
        new PartResult.Rate(
            PART,
            "unthrottled copy to a new unit",
            "MiB",
            mebi(copies.perSecond()),
            "sequential write",
            mebi(writes.perSecond())));
  }

  private static double mebi(double bytes) {
    return bytes / (1 << 20);
  }

  /**
   * Measures appends beside a throttled copy and alone. The order alternates, so that neither has
   * an advantage.
   */
  private void throttled() throws Exception {
    Measurement alone = new Measurement();
    Measurement beside = new Measurement();
    Workload appends = appends();
    for (int i = 0; i <= settings.copies(); i++) {
      boolean isWarmUp = i == 0;
      boolean isAloneFirst = i % 2 == 0;
      Measurement without = isWarmUp ? new Measurement() : alone;
      Copying copying = new Copying(retireOne(throttledBytes()), RebuildOptions.DEFAULT);
      if (isAloneFirst) {
        without.round(appends, settings.round().toNanos());
      }
      var copied = CompletableFuture.runAsync(copying::run);
      (isWarmUp ? new Measurement() : beside).round(appends, settings.round().toNanos());
      if (copied.isDone()) {
        throw new IllegalStateException("the copy was over before the appends were");
      }
      copied.join();
      if (!isAloneFirst) {
        without.round(appends, settings.round().toNanos());
      }
      copying.finish();
    }
    results.accept(
        new PartResult.Rate(
            PART,
            "appends beside a copy at %d MiB/s"
                .formatted(RebuildOptions.DEFAULT.bytesPerSecond() >> 20),
            "appends",
            beside.perSecond(),
            "the same without",
            alone.perSecond()));
  }

  /** Returns a size whose copy needs more time than the measured appends. */
  private long throttledBytes() {
    return RebuildOptions.DEFAULT.bytesPerSecond() * (settings.round().toSeconds() + 2);
  }

  private Workload appends() {
    Log log = cluster.corfu().log();
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
   * Writes this many bytes, and replaces one of the two units for later addresses.
   *
   * @return the layout for the copy of the segment
   */
  private Layout retireOne(long bytes) {
    Log log = cluster.corfu().log();
    log.prefixTrim(log.tail());
    for (long written = 0; written < bytes; written += (long) CHUNK * PAYLOAD_BYTES) {
      List<CompletableFuture<Address>> chunk = new ArrayList<>();
      for (int i = 0; i < CHUNK; i++) {
        chunk.add(log.appendAsync(ByteBuffer.wrap(payload)));
      }
      chunk.forEach(CompletableFuture::join);
    }
    Layout layout = reconfiguration.renew(cluster.corfu().layout());
    Endpoint retiring = layout.openSegment().log().getFirst().head();
    ClusterHealth clusterHealth = awaitSpare(layout);
    return reconfiguration.change(
        layout,
        now ->
            now.openSegment().units().contains(retiring) ? Plan.withRetiring(now, retiring) : now,
        clusterHealth);
  }

  private ClusterHealth awaitSpare(Layout layout) {
    while (true) {
      ClusterHealth clusterHealth = observers.ask(layout);
      if (!clusterHealth.usableSpares().isEmpty()) {
        return clusterHealth;
      }
      cluster.world().pause(POLL);
    }
  }

  /** The copies of a layout's segments to their targets. */
  private final class Copying {

    private final Layout layout;
    private final Rebuild rebuild;

    Copying(Layout layout, RebuildOptions options) {
      this.layout = layout;
      this.rebuild =
          new Rebuild(cluster.world(), transport, REQUEST_TIMEOUT, Limits.DEFAULT, options);
    }

    private List<LayoutSegment> segments() {
      return layout.segments().stream().filter(LayoutSegment::hasTarget).toList();
    }

    /** Copies the segments, and returns the number of copied bytes. */
    long run() {
      long bytes = 0;
      for (LayoutSegment segment : segments()) {
        AtomicLong last = new AtomicLong();
        Layout copied =
            rebuild
                .run(
                    layout,
                    segment.start(),
                    state -> last.accumulateAndGet(state.bytes(), Math::max))
                .orElseThrow();
        if (!copied.epoch().equals(layout.epoch())) {
          throw new IllegalStateException("somebody else has changed the layout meanwhile");
        }
        bytes += last.get();
      }
      return bytes;
    }

    /** Puts the copies to use, and makes the retired unit the spare. */
    void finish() {
      Layout now = layout;
      for (LayoutSegment segment : segments()) {
        now = reconfiguration.finish(now, segment.start(), observers.ask(now));
      }
      for (Endpoint server : cluster.endpoints()) {
        now =
            reconfiguration.change(
                now,
                newest ->
                    newest.units().stream().anyMatch(unit -> unit.endpoint().equals(server))
                        ? newest
                        : Plan.withSpare(newest, server),
                observers.ask(now));
      }
    }
  }
}
