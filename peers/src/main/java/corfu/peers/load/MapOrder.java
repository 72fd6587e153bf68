package corfu.peers.load;

import java.time.Duration;

/**
 * What a load of a map is told to do, as a line of text.
 *
 * @param keys of the map; there is one of each size
 * @param valueBytes what a key holds
 * @param time how long; of no meaning when a map is filled
 */
public record MapOrder(Call call, int keys, int valueBytes, int threads, Duration time) {

  private static final int WORDS = 5;

  /** What threads do again and again. */
  public enum Call {
    /** Give each key a value, once. */
    FILL("fill"),
    PUT("put"),
    FAST_PUT("fastPut"),
    GET("get"),
    /** Read three keys and change three others. */
    TRANSACT("transact");

    private final String text;

    Call(String text) {
      this.text = text;
    }

    /** In orders and in tables. */
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

  /** The line that {@link #parse} understands. */
  public String toLine() {
    return "%s %d %d %d %d".formatted(call.text, keys, valueBytes, threads, time.toMillis());
  }

  /**
   * The order that a line holds.
   *
   * @throws IllegalArgumentException if it holds none
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
