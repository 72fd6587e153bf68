package corfu.bench.log;

import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.Benchmarks;
import corfu.bench.harness.PartResult;
import corfu.node.local.JavaCommand;
import corfu.protocol.Address;
import corfu.protocol.Endpoint;
import corfu.roles.logunit.options.UnitMode;
import corfu.runtime.Log;
import corfu.runtime.LogEntry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * The cost of a log unit with many entries. One part is its memory beside the memory of a unit
 * without entries. Another is the time from the kill of its process until it serves again. The
 * third shows whether memory grows during appends.
 */
public final class MemoryBenchmark {

  private static final int IN_FLIGHT = 4096;
  private static final int SLICES = 10;
  private static final double MEBI = 1 << 20;
  private static final double AIMED_ENTRIES = 100e6;
  private static final double RESTART_ENTRIES = 10e6;
  private static final double SECOND = 1e9;

  private final MemorySettings settings;
  private final JavaCommand java;
  private final Consumer<PartResult> results;

  private MemoryBenchmark(MemorySettings settings, JavaCommand java, Consumer<PartResult> results) {
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
      MemorySettings settings, JavaCommand java, Consumer<PartResult> results) {
    Benchmarks.run(new MemoryBenchmark(settings, java, results)::run);
  }

  private void run() throws Exception {
    try (var cluster = BenchCluster.start(java, BenchCluster.Shape.of(1, 1, UnitMode.BUFFERED))) {
      Started blank = startedAgain(cluster);
      Log log = cluster.corfu().log();
      fill(log);
      Started full = startedAgain(cluster);
      if (!(log.read(new Address(settings.entries() / 2)) instanceof LogEntry.Data)) {
        throw new IllegalStateException("the unit has lost an entry when it was started again");
      }
      report(blank, full);
      flood(cluster, log);
    }
  }

  /** A server that serves again after a kill. */
  private record Started(double seconds, double residentMebibytes) {}

  private Started startedAgain(BenchCluster cluster) {
    for (Endpoint server : cluster.endpoints()) {
      cluster.kill(server);
    }
    long begin = cluster.world().nanoTime();
    cluster.restart(java);
    cluster.corfu().log().tail();
    double seconds = (cluster.world().nanoTime() - begin) / SECOND;
    return new Started(seconds, cluster.residentBytes() / MEBI);
  }

  private void fill(Log log) throws InterruptedException {
    byte[] payload = new byte[settings.sizeBytes()];
    var room = new Semaphore(IN_FLIGHT);
    for (int i = 0; i < settings.entries(); i++) {
      append(log, payload, room);
    }
    room.acquire(IN_FLIGHT);
  }

  private static void append(Log log, byte[] payload, Semaphore room) throws InterruptedException {
    room.acquire();
    var _ =
        log.appendAsync(ByteBuffer.wrap(payload))
            .whenComplete((address, failure) -> room.release());
  }

  private void report(Started blank, Started full) {
    double entries = settings.entries();
    double more = full.residentMebibytes() - blank.residentMebibytes();
    results.accept(
        new PartResult.Values(
            "index",
            "a unit of %,d entries of %,d B, started again"
                .formatted(settings.entries(), settings.sizeBytes()),
            List.of(
                new PartResult.Value("entries", entries),
                new PartResult.Value("blankResidentMiB", blank.residentMebibytes()),
                new PartResult.Value("residentMiB", full.residentMebibytes()),
                new PartResult.Value("bytesPerEntry", more * MEBI / entries),
                new PartResult.Value("scaledTo100MGiB", more * AIMED_ENTRIES / entries / 1024))));
    results.accept(
        new PartResult.Values(
            "restart",
            "from the start of its process until it serves",
            List.of(
                new PartResult.Value("entries", entries),
                new PartResult.Value("blankSeconds", blank.seconds()),
                new PartResult.Value("seconds", full.seconds()),
                new PartResult.Value(
                    "secondsPer10M",
                    Math.max(0, full.seconds() - blank.seconds()) * RESTART_ENTRIES / entries))));
  }

  /** Appends in ten slices, and trims the log after each. The first half warms up. */
  private void flood(BenchCluster cluster, Log log) throws InterruptedException {
    byte[] payload = new byte[settings.sizeBytes()];
    List<Double> resident = new ArrayList<>();
    long count = 0;
    long slice = settings.flood().toNanos() / SLICES;
    for (int i = 0; i < SLICES; i++) {
      var room = new Semaphore(IN_FLIGHT);
      long end = cluster.world().nanoTime() + slice;
      while (cluster.world().nanoTime() < end) {
        append(log, payload, room);
        count++;
      }
      room.acquire(IN_FLIGHT);
      log.prefixTrim(log.tail());
      resident.add(cluster.residentBytes() / MEBI);
    }
    double half = resident.get(SLICES / 2 - 1);
    double last = resident.getLast();
    results.accept(
        new PartResult.Values(
            "flood",
            "appends for %,d s, trimmed ten times".formatted(settings.flood().toSeconds()),
            List.of(
                new PartResult.Value("appends", count),
                new PartResult.Value("perSecond", count / (settings.flood().toNanos() / SECOND)),
                new PartResult.Value("residentAtHalfMiB", half),
                new PartResult.Value("residentAtEndMiB", last),
                new PartResult.Value("grownBy", last / half - 1))));
  }
}
