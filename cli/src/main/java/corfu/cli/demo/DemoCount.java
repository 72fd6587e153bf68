package corfu.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.log.LineReader;
import corfu.node.EmbeddedCluster;
import corfu.objects.ReplicatedObjects;
import corfu.objects.TransactionOptions;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.type.ObjectType;
import corfu.runtime.Corfu;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/**
 * The second part of the demo: four clients count words in one replicated map. Each transaction
 * counts some lines, and conflicts with others at every frequent word. The demo kills a node half
 * way. At the end the map must equal a plain count; otherwise words were lost or counted twice.
 */
final class DemoCount {

  private static final ObjectType<ReplicatedMap<String, Long>> MAP =
      ReplicatedMap.of(String.class, Long.class);
  private static final Pattern NO_WORD = Pattern.compile("[^\\p{L}\\p{N}]+");

  /** The largest number of lines to count; more would prove nothing else. */
  private static final int MOST_LINES = 10_000;

  private static final int LINES_TOGETHER = 25;

  /** Options with many attempts, because conflicts are frequent. */
  private static final TransactionOptions PATIENT =
      TransactionOptions.DEFAULT.withAttempts(100_000);

  private final EmbeddedCluster cluster;
  private final DemoInput input;
  private final String victim;

  /**
   * @param victim the name of the node to be killed
   */
  DemoCount(EmbeddedCluster cluster, DemoInput input, String victim) {
    this.cluster = cluster;
    this.input = input;
    this.victim = victim;
  }

  /**
   * The result of the count.
   *
   * @param lines the number of counted lines
   * @param words the number of words in them
   * @param different the number of different words
   * @param transactions the number of transactions
   * @param lost the number of conflicts, after each of which a transaction was tried again
   */
  record Seen(long lines, long words, int different, long transactions, long lost, Duration time) {}

  /**
   * Runs the count.
   *
   * @throws CommandException if the counts are wrong
   */
  Seen run() throws IOException, InterruptedException, ExecutionException {
    var work = new ConcurrentLinkedQueue<Map<String, Long>>();
    var plain = new HashMap<String, Long>();
    long lines = read(work, plain);
    int transactions = work.size();
    var tries = new AtomicLong();
    var left = new AtomicInteger(transactions);
    long begun = System.nanoTime();
    var counting = new ArrayList<Future<?>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < Demo.WRITERS; i++) {
        counting.add(
            threads.submit(
                () -> {
                  count(work, tries, left, transactions / 2);
                  return null;
                }));
      }
    }
    for (Future<?> one : counting) {
      one.get();
    }
    Duration time = Duration.ofNanos(System.nanoTime() - begun);
    check(plain);
    long words = plain.values().stream().mapToLong(Long::longValue).sum();
    return new Seen(lines, words, plain.size(), transactions, tries.get() - transactions, time);
  }

  /** Cuts lines from all writers' parts into pieces of work, and counts their words. */
  private long read(ConcurrentLinkedQueue<Map<String, Long>> work, Map<String, Long> plain)
      throws IOException {
    long lines = 0;
    for (int writer = 0; writer < input.writers(); writer++) {
      long wanted = Math.min(input.parts().get(writer).lines(), MOST_LINES / input.writers());
      try (LineReader in = input.open(writer)) {
        while (in.number() < wanted) {
          var piece = new HashMap<String, Long>();
          long end = Math.min(wanted, in.number() + LINES_TOGETHER);
          while (in.number() < end) {
            count(new String(in.next().orElseThrow(), UTF_8), piece);
          }
          piece.forEach((word, times) -> plain.merge(word, times, Long::sum));
          work.add(piece);
        }
        lines += wanted;
      }
    }
    return lines;
  }

  private static void count(String line, Map<String, Long> counts) {
    NO_WORD
        .splitAsStream(line)
        .filter(word -> !word.isEmpty())
        .forEach(word -> counts.merge(word, 1L, Long::sum));
  }

  /** Runs one of the clients until no work is left. */
  private void count(
      ConcurrentLinkedQueue<Map<String, Long>> work,
      AtomicLong tries,
      AtomicInteger left,
      int killAt) {
    try (Corfu corfu = DemoClients.connect(cluster)) {
      ReplicatedObjects objects = ReplicatedObjects.over(corfu);
      ReplicatedMap<String, Long> counts = objects.open("words", MAP);
      for (var piece = work.poll(); piece != null; piece = work.poll()) {
        var words = List.copyOf(piece.entrySet());
        objects.transact(
            PATIENT,
            () -> {
              tries.incrementAndGet();
              words.forEach(
                  word ->
                      counts.fastPut(
                          word.getKey(), counts.getOrDefault(word.getKey(), 0L) + word.getValue()));
            });
        if (left.decrementAndGet() == killAt) {
          cluster.kill(victim);
        }
      }
    }
  }

  private void check(Map<String, Long> plain) {
    try (Corfu corfu = DemoClients.connect(cluster)) {
      Map<String, Long> counts = ReplicatedObjects.over(corfu).open("words", MAP);
      if (!counts.equals(plain)) {
        var wrong = new HashMap<>(counts);
        wrong.entrySet().removeAll(plain.entrySet());
        throw new CommandException(
            ExitCode.FAILED,
            "the map holds %d words, a plain count has %d; wrong, for instance: %s"
                .formatted(
                    counts.size(), plain.size(), wrong.entrySet().stream().limit(3).toList()));
      }
    }
  }
}
