package corfu.peers.load;

import java.time.Duration;

/**
 * An order to a load process of YCSB, as a line of text.
 *
 * @param workload a letter from a to f, or {@link #LOAD} to insert the records
 * @param time how long to run the workload; ignored when records are inserted
 */
public record YcsbOrder(String workload, Duration time, int threads, int records) {

  /** Inserts the records, once. */
  public static final String LOAD = "load";

  private static final int WORDS = 4;

  /** Returns the line that {@link #parse} understands. */
  public String toLine() {
    return "%s %d %d %d".formatted(workload, time.toMillis(), threads, records);
  }

  /**
   * Returns the order in a line.
   *
   * @throws IllegalArgumentException if the line is not an order
   */
  static YcsbOrder parse(String line) {
    String[] words = line.strip().split(" ", -1);
    if (words.length != WORDS || !words[0].matches("load|[a-f]")) {
      throw new IllegalArgumentException("not an order: '" + line + "'");
    }
    return new YcsbOrder(
        words[0],
        Duration.ofMillis(Long.parseLong(words[1])),
        Integer.parseInt(words[2]),
        Integer.parseInt(words[3]));
  }
}
