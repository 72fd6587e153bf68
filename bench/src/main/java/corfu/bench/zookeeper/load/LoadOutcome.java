package corfu.bench.zookeeper.load;

import org.HdrHistogram.Histogram;

/**
 * The measured result of an order.
 *
 * @param operations the number of completed operations
 * @param nanos the time of all operations together
 * @param p50Nanos the median latency of an operation
 */
public record LoadOutcome(long operations, long nanos, long p50Nanos, long p99Nanos) {

  /** The outcome of an order that measures nothing. */
  static final LoadOutcome NOTHING = new LoadOutcome(0, 0, 0, 0);

  private static final String WORD = "observed";

  static LoadOutcome of(Histogram latencies, long nanos) {
    return new LoadOutcome(
        latencies.getTotalCount(),
        nanos,
        latencies.getValueAtPercentile(50),
        latencies.getValueAtPercentile(99));
  }

  /** Returns the operations per second, or 0 if nothing was measured. */
  public double perSecond() {
    return nanos == 0 ? 0 : operations * 1e9 / nanos;
  }

  /** Returns the line that {@link #parse} understands. */
  public String toLine() {
    return "%s %d %d %d %d".formatted(WORD, operations, nanos, p50Nanos, p99Nanos);
  }

  /**
   * Returns the outcome in a line.
   *
   * @throws IllegalArgumentException if the line is something else, such as the reason of a failure
   */
  public static LoadOutcome parse(String line) {
    String[] words = line.strip().split(" ", -1);
    if (words.length != 5 || !words[0].equals(WORD)) {
      throw new IllegalArgumentException(line);
    }
    return new LoadOutcome(
        Long.parseLong(words[1]),
        Long.parseLong(words[2]),
        Long.parseLong(words[3]),
        Long.parseLong(words[4]));
  }
}
