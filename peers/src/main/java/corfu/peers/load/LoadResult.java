package corfu.peers.load;

/**
 * The result of an order, as a line of text.
 *
 * @param operations the number of acknowledged appends
 * @param nanos the time for all of them together
 * @param p50Nanos the median latency, or 0 without any append
 */
public record LoadResult(long operations, long nanos, long p50Nanos, long p99Nanos) {

  /** The result of an order that measures nothing. */
  static final LoadResult NOTHING = new LoadResult(0, 0, 0, 0);

  private static final String WORD = "observed";

  /** Returns the appends per second. */
  public double perSecond() {
    return nanos == 0 ? 0 : operations * 1e9 / nanos;
  }

  /** Returns the line that {@link #parse} understands. */
  public String toLine() {
    return "%s %d %d %d %d".formatted(WORD, operations, nanos, p50Nanos, p99Nanos);
  }

  /**
   * Returns the result in a line.
   *
   * @throws IllegalArgumentException if the line is something else, such as the reason why the
   *     order failed
   */
  public static LoadResult parse(String line) {
    String[] words = line.strip().split(" ", -1);
    if (words.length != 5 || !words[0].equals(WORD)) {
      throw new IllegalArgumentException(line);
    }
    return new LoadResult(
        Long.parseLong(words[1]),
        Long.parseLong(words[2]),
        Long.parseLong(words[3]),
        Long.parseLong(words[4]));
  }
}
