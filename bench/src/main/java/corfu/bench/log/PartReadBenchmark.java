package corfu.bench.log;

import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.BenchSettings;
import corfu.bench.harness.ClosedLoop;
import corfu.bench.harness.Figure;
import corfu.bench.harness.LimitComparison;
import corfu.bench.harness.MachineLimit;
import corfu.protocol.Address;
import corfu.runtime.EntryPart;
import corfu.runtime.Log;
import corfu.runtime.LogEntry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Reads of 4 KiB at random places of entries of 16 MiB, beside reads of entries of 4 KiB. */
public final class PartReadBenchmark {

  private static final int PART_BYTES = 4 << 10;
  private static final int LARGE_BYTES = 16 << 20;
  private static final int LARGE_ENTRIES = 4;
  private static final int SMALL_ENTRIES = 16 << 10;

  private final BenchSettings settings;
  private final BenchCluster cluster;
  private final Consumer<Figure> results;
  private final Log log;

  public PartReadBenchmark(BenchSettings settings, BenchCluster cluster, Consumer<Figure> results) {
    this.settings = settings;
    this.cluster = cluster;
    this.results = results;
    this.log = cluster.corfu().log();
  }

  public void run() throws Exception {
    long large = load(LARGE_BYTES, LARGE_ENTRIES);
    long small = load(PART_BYTES, SMALL_ENTRIES);
    RandomGenerator random = cluster.world().random();
    var contest = new LimitComparison(settings, cluster::cpu);
    settings.eachLoad(
        (clients, depth) -> {
          var whole = new ClosedLoop(clients, depth, new Whole(log, small, random));
          results.accept(
              contest.run(
                  settings.scenario("read/part", PART_BYTES, clients, depth),
                  new ClosedLoop(clients, depth, new Part(log, large, random)),
                  List.of(new MachineLimit("whole entries of as much", whole))));
        });
    log.prefixTrim(log.tail());
  }

  /** Appends entries, and returns the address of the first one. */
  private long load(int bytes, int count) {
    long first = log.tail().value();
    byte[] payload = new byte[bytes];
    List<CompletableFuture<Address>> appends = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      appends.add(log.appendAsync(ByteBuffer.wrap(payload)));
    }
    appends.forEach(CompletableFuture::join);
    return first;
  }

  private record Part(Log log, long first, RandomGenerator random) implements ClosedLoop.Request {

    @Override
    public void await() {
      check(log.read(anywhere(), offset(), PART_BYTES));
    }

    @Override
    public CompletableFuture<?> start() {
      return log.readAsync(anywhere(), offset(), PART_BYTES).thenApply(Part::check);
    }

    private Address anywhere() {
      return new Address(first + random.nextInt(LARGE_ENTRIES));
    }

    private int offset() {
      return random.nextInt(LARGE_BYTES / PART_BYTES) * PART_BYTES;
    }

    private static EntryPart check(EntryPart part) {
      if (part instanceof EntryPart.Data data && data.bytes().remaining() == PART_BYTES) {
        return part;
      }
      throw new IllegalStateException("found " + part + " where an entry was appended");
    }
  }

  private record Whole(Log log, long first, RandomGenerator random) implements ClosedLoop.Request {

    @Override
    public void await() {
      check(log.read(anywhere()));
    }

    @Override
    public CompletableFuture<?> start() {
      return log.readAsync(anywhere()).thenApply(Whole::check);
    }

    private Address anywhere() {
      return new Address(first + random.nextInt(SMALL_ENTRIES));
    }

    private static LogEntry check(LogEntry entry) {
      if (!(entry instanceof LogEntry.Data)) {
        throw new IllegalStateException("found " + entry + " where an entry was appended");
      }
      return entry;
    }
  }
}
