package corfu.peers.load;

import java.time.Duration;

/** An order to a load process, as a line of text. */
public sealed interface LoadOrder {

  /** One append at a time. */
  record Lone(int sizeBytes, Duration time) implements LoadOrder {
    @Override
    public String toLine() {
      return "lone %d %d".formatted(sizeBytes, time.toMillis());
    }
  }

  /** A constant number of in-flight appends. */
  record Flood(int sizeBytes, Duration time, int depth) implements LoadOrder {
    @Override
    public String toLine() {
      return "flood %d %d %d".formatted(sizeBytes, time.toMillis(), depth);
    }
  }

  /** A fixed rate of appends, whether or not earlier ones are done. */
  record Offered(int sizeBytes, Duration time, long perSecond) implements LoadOrder {
    @Override
    public String toLine() {
      return "offered %d %d %d".formatted(sizeBytes, time.toMillis(), perSecond);
    }
  }

  /** Lets the system delete the appended entries. */
  record Rest() implements LoadOrder {
    @Override
    public String toLine() {
      return "rest";
    }
  }

  /** Returns the line that {@link #parse} understands. */
  String toLine();

  /**
   * Returns the order in a line.
   *
   * @throws IllegalArgumentException if the line is not an order
   */
  static LoadOrder parse(String line) {
    String[] words = line.strip().split(" ", -1);
    int numbers = words.length - 1;
    if (words[0].equals("lone") && numbers == 2) {
      return new Lone(size(words), time(words));
    }
    if (words[0].equals("flood") && numbers == 3) {
      return new Flood(size(words), time(words), Integer.parseInt(words[3]));
    }
    if (words[0].equals("offered") && numbers == 3) {
      return new Offered(size(words), time(words), Long.parseLong(words[3]));
    }
    if (words[0].equals("rest") && numbers == 0) {
      return new Rest();
    }
    throw new IllegalArgumentException("not an order: '" + line + "'");
  }

  private static int size(String[] words) {
    return Integer.parseInt(words[1]);
  }

  private static Duration time(String[] words) {
    return Duration.ofMillis(Long.parseLong(words[2]));
  }
}
