package corfu.bench.log;

import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.BenchSettings;
import corfu.bench.harness.ClosedLoop;
import corfu.bench.harness.Figure;
import corfu.bench.harness.LimitComparison;
import corfu.bench.harness.MachineLimit;
import corfu.protocol.Address;
import corfu.protocol.message.LogUnitReply;
import corfu.roles.logunit.options.UnitMode;
import corfu.runtime.CompressionReport;
import corfu.runtime.Log;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.random.RandomGenerator;

/**
 * Reads of single entries of words at random addresses: of compressed entries, beside entries that
 * are not compressed.
 */
public final class CompressedReadBenchmark {

  private static final Duration POLL = Duration.ofMillis(100);
  private static final long BYTES = 64L << 20;
  private static final int MOST_ENTRIES = 100_000;
  private static final int IN_FLIGHT = 1_000;
  private static final List<String> WORDS =
      List.of("the ", "log ", "keeps ", "every ", "entry ", "until ", "it ", "is ", "trimmed ");

  private final BenchSettings settings;
  private final BenchCluster cluster;
  private final Consumer<Figure> results;
  private final Log log;
  private final RandomGenerator random;

  public CompressedReadBenchmark(
      BenchSettings settings, BenchCluster cluster, Consumer<Figure> results) {
    this.settings = settings;
    this.cluster = cluster;
    this.results = results;
    this.log = cluster.corfu().log();
    this.random = cluster.world().random();
  }

  /** Measures each size of entries. Units in memory compress nothing, and have no figures. */
  public void run() throws Exception {
    if (settings.mode() == UnitMode.MEMORY) {
      return;
    }
    var contest = new LimitComparison(settings, cluster::cpu);
    for (int size : settings.sizes()) {
      int count = (int) Math.min(BYTES / size, MOST_ENTRIES);
      long old = load(size, count);
      String what = compressed();
      long fresh = load(size, count);
      settings.eachLoad(
          (clients, depth) -> {
            var plain = new ClosedLoop(clients, depth, reads(fresh, count));
            results.accept(
                contest.run(
                    settings.scenario("read/compressed", size, clients, depth),
                    new ClosedLoop(clients, depth, reads(old, count)),
                    List.of(new MachineLimit("entries that are not compressed, " + what, plain))));
          });
      log.prefixTrim(log.tail());
    }
  }

  private ReadBenchmark.Single reads(long first, int count) {
    return new ReadBenchmark.Single(log, first, count, random);
  }

  /** Compresses the log up to its tail, and returns the ratio in words. */
  private String compressed() {
    List<CompressionReport> reports = log.compress(log.tail());
    while (!reports.stream().allMatch(CompressionReport::isDone)) {
      cluster.world().pause(POLL);
      reports = log.compression();
    }
    double plain = sum(reports, LogUnitReply.Compressed::plainBytes);
    double stored = sum(reports, LogUnitReply.Compressed::storedBytes);
    return String.format(Locale.ROOT, "%.1f times as large", plain / stored);
  }

  private static long sum(
      List<CompressionReport> reports, ToLongFunction<LogUnitReply.Compressed> bytes) {
    return reports.stream().flatMap(report -> report.progress().stream()).mapToLong(bytes).sum();
  }

  /** Appends entries, and returns the address of the first one. */
  private long load(int bytes, int count) {
    long first = log.tail().value();
    for (int done = 0; done < count; done += IN_FLIGHT) {
      List<CompletableFuture<Address>> appends = new ArrayList<>();
      for (int i = done; i < Math.min(count, done + IN_FLIGHT); i++) {
        appends.add(log.appendAsync(ByteBuffer.wrap(words(bytes))));
      }
      appends.forEach(CompletableFuture::join);
    }
    return first;
  }

  private byte[] words(int bytes) {
    var text = new StringBuilder();
    while (text.length() < bytes) {
      text.append(WORDS.get(random.nextInt(WORDS.size())));
      text.append(random.nextInt(1_000)).append(' ');
    }
    return text.substring(0, bytes).getBytes(StandardCharsets.US_ASCII);
  }
}
