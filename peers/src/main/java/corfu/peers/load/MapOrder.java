package corfu.peers.load;

import java.time.Duration;

/**
 * An order to a load process of a map, as a line of text.
 *
 * @param keys the number of keys in the map; each number has its own map
 * @param valueBytes the size of a value in bytes
 * @param time how long to make calls; ignored when a map is filled
 */
public record MapOrder(Call call, int keys, int valueBytes, int threads, Duration time) {

  private static final int WORDS = 5;

  /** A call that threads make repeatedly. */
  public enum Call {
    /** Gives each key a value, once. */
    FILL("fill"),
    PUT("put"),
    FAST_PUT("fastPut"),
    GET("get"),
    /** Reads three keys and changes three others. */
    TRANSACT("transact");

    private final String text;

    Call(String text) {
      this.text = text;
    }

    /** Returns the call's name in orders and in tables. */
    public String text() {
      return text;
    }

    static Call of(String text) {
      for (Call call : values()) {
        if (call.text.equals(text)) {
          return call;
        }
      }
      throw new IllegalArgumentException("no call of a map: '" + text + "'");
    }
  }

  /** Returns the line that {@link #parse} understands. */
  public String toLine() {
    return "%s %d %d %d %d".formatted(call.text, keys, valueBytes, threads, time.toMillis());
  }

  /**
   * Returns the order in a line.
   *
   * @throws IllegalArgumentException if the line is not an order
   */
  static MapOrder parse(String line) {
    String[] words = line.strip().split(" ", -1);
    if (words.length != WORDS) {
      throw new IllegalArgumentException("not an order: '" + line + "'");
    }
    return new MapOrder(
        Call.of(words[0]),
        Integer.parseInt(words[1]),
        Integer.parseInt(words[2]),
        Integer.parseInt(words[3]),
        Duration.ofMillis(Long.parseLong(words[4])));
  }
}
