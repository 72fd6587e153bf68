package corfu.bench.log;

import corfu.bench.baseline.FrameSizes;
import corfu.bench.baseline.MachineLimits;
import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.BenchSettings;
import corfu.bench.harness.ClosedLoop;
import corfu.bench.harness.Figure;
import corfu.bench.harness.LimitComparison;
import corfu.protocol.Address;
import corfu.runtime.Log;
import corfu.runtime.LogEntry;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Reads: all entries sequentially in bulk, and single entries at random addresses. */
public final class ReadBenchmark {

  private static final int MOST_ENTRIES = 200_000;
  private static final long MOST_BYTES = 256L << 20;
  private static final int LOADS_IN_FLIGHT = 4096;

  /** The number of entries of a bulk read. */
  private static final int BULK = 1024;

  private static final int BULK_BYTES = 1 << 20;

  private final BenchSettings settings;
  private final BenchCluster cluster;
  private final MachineLimits limits;
  private final Consumer<Figure> results;
  private final Log log;

  public ReadBenchmark(
      BenchSettings settings,
      BenchCluster cluster,
      MachineLimits limits,
      Consumer<Figure> results) {
    this.settings = settings;
    this.cluster = cluster;
    this.limits = limits;
    this.results = results;
    this.log = cluster.corfu().log();
  }

  public void run() throws Exception {
    var contest = new LimitComparison(settings, cluster::cpu);
    for (int size : settings.sizes()) {
      long first = log.tail().value();
      int count = load(size);
      int bulk = Math.clamp(BULK_BYTES / FrameSizes.stored(size), 1, Math.min(BULK, count));
      for (int clients : settings.clients()) {
        results.accept(
            contest.run(
                settings.scenario("read/sequential", size, clients, 1),
                new ClosedLoop(clients, 1, new Bulk(log, first, count, bulk, new AtomicLong())),
                List.of(limits.echo(FrameSizes.read(size, bulk), clients))));
      }
      settings.eachLoad(
          (clients, depth) -> {
            var scenario = settings.scenario("read/random", size, clients, depth);
            var ours =
                new ClosedLoop(
                    clients, depth, new Single(log, first, count, cluster.world().random()));
            var echo = limits.echo(FrameSizes.read(size, 1), scenario.inFlight());
            results.accept(contest.run(scenario, ours, List.of(echo)));
          });
      log.prefixTrim(log.tail());
    }
  }

  /** Appends the entries for the reads, and returns their number. */
  private int load(int size) throws InterruptedException {
    int count = Math.clamp(MOST_BYTES / FrameSizes.stored(size), 1, MOST_ENTRIES);
    byte[] payload = new byte[size];
    var room = new Semaphore(LOADS_IN_FLIGHT);
    CompletableFuture<?> loaded = CompletableFuture.completedFuture(size);
    for (int i = 0; i < count; i++) {
      room.acquire();
      loaded =
          log.appendAsync(ByteBuffer.wrap(payload))
              .whenComplete((address, failure) -> room.release());
    }
    room.acquire(LOADS_IN_FLIGHT);
    loaded.join();
    return count;
  }

  private static LogEntry check(LogEntry entry) {
    if (!(entry instanceof LogEntry.Data)) {
      throw new IllegalStateException("found " + entry + " where an entry was appended");
    }
    return entry;
  }

  /** Reads one piece of the log after the other, over and over. */
  public record Bulk(Log log, long first, int count, int operations, AtomicLong turns)
      implements ClosedLoop.Request {

    @Override
    public void await() {
      long pieces = count / operations;
      long from = first + turns.getAndIncrement() % pieces * operations;
      log.read(new Address(from), new Address(from + operations)).forEach(ReadBenchmark::check);
    }

    @Override
    public CompletableFuture<?> start() {
      return CompletableFuture.runAsync(this::await);
    }
  }

  /** Reads single entries at random addresses from {@code first} on. */
  record Single(Log log, long first, int count, RandomGenerator random)
      implements ClosedLoop.Request {

    @Override
    public void await() {
      check(log.read(anywhere()));
    }

    @Override
    public CompletableFuture<?> start() {
      return log.readAsync(anywhere()).thenApply(ReadBenchmark::check);
    }

    private Address anywhere() {
      return new Address(first + random.nextInt(count));
    }
  }
}
