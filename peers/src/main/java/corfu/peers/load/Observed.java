package corfu.peers.load;

/**
 * What came of an order, as a line of text.
 *
 * @param operations how many appends were acknowledged
 * @param nanos how long all of them took together
 * @param p50Nanos half of them took no longer; 0 where there was none
 */
public record Observed(long operations, long nanos, long p50Nanos, long p99Nanos) {

  /** Of an order that measures nothing. */
  static final Observed NOTHING = new Observed(0, 0, 0, 0);

  private static final String WORD = "observed";

  /** Appends a second. */
  public double perSecond() {
    return nanos == 0 ? 0 : operations * 1e9 / nanos;
  }

  /** The line that {@link #parse} understands. */
  public String toLine() {
    return "%s %d %d %d %d".formatted(WORD, operations, nanos, p50Nanos, p99Nanos);
  }

  /**
   * What a line says.
   *
   * @throws IllegalArgumentException if it says something else, as why the order failed
   */
  public static Observed parse(String line) {
    String[] words = line.strip().split(" ", -1);
    if (words.length != 5 || !words[0].equals(WORD)) {
      throw new IllegalArgumentException(line);
    }
    return new Observed(
        Long.parseLong(words[1]),
        Long.parseLong(words[2]),
        Long.parseLong(words[3]),
        Long.parseLong(words[4]));
  }
}
