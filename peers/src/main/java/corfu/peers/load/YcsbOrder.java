package corfu.peers.load;

import java.time.Duration;

/**
 * What a load of YCSB is told to do, as a line of text.
 *
 * @param workload a letter; or {@link #LOAD}: insert the records
 * @param time how long; of no meaning when records are inserted
 */
public record YcsbOrder(String workload, Duration time, int threads, int records) {

  /** Inserts the records, once. */
  public static final String LOAD = "load";

  private static final int WORDS = 4;

  /** The line that {@link #parse} understands. */
  public String toLine() {
    return "%s %d %d %d".formatted(workload, time.toMillis(), threads, records);
  }

  /**
   * The order that a line holds.
   *
   * @throws IllegalArgumentException if it holds none
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
