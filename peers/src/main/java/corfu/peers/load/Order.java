package corfu.peers.load;

import java.time.Duration;

/** What a load process is told to do, as a line of text. */
public sealed interface Order {

  /** One append at a time. */
  record Lone(int sizeBytes, Duration time) implements Order {
    @Override
    public String toLine() {
      return "lone %d %d".formatted(sizeBytes, time.toMillis());
    }
  }

  /** As many appends as that under way, all the time. */
  record Flood(int sizeBytes, Duration time, int depth) implements Order {
    @Override
    public String toLine() {
      return "flood %d %d %d".formatted(sizeBytes, time.toMillis(), depth);
    }
  }

  /** So many appends a second, whether earlier ones are done or not. */
  record Offered(int sizeBytes, Duration time, long perSecond) implements Order {
    @Override
    public String toLine() {
      return "offered %d %d %d".formatted(sizeBytes, time.toMillis(), perSecond);
    }
  }

  /** Lets the system forget what was appended. */
  record Rest() implements Order {
    @Override
    public String toLine() {
      return "rest";
    }
  }

  /** The line that {@link #parse} understands. */
  String toLine();

  /**
   * The order that a line holds.
   *
   * @throws IllegalArgumentException if it holds none
   */
  static Order parse(String line) {
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
