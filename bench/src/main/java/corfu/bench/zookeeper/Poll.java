package corfu.bench.zookeeper;

import java.util.OptionalInt;

/** The ways in which a translation server learns of new entries, as in table 6.1. */
public enum Poll {
  /** Every millisecond. */
  MS1("1ms", OptionalInt.of(1)),
  /** Every 10 milliseconds. */
  MS10("10ms", OptionalInt.of(10)),
  /** Every 100 milliseconds. */
  MS100("100ms", OptionalInt.of(100)),
  /** The log tells it at once. */
  PUSH("push", OptionalInt.empty());

  private final String text;
  private final OptionalInt millis;

  Poll(String text, OptionalInt millis) {
    this.text = text;
    this.millis = millis;
  }

  /** Returns the value of the option {@code --poll}. */
  public String text() {
    return text;
  }

  /** Returns the interval, or nothing for {@link #PUSH}. */
  OptionalInt millis() {
    return millis;
  }

  /**
   * Returns the way with this text.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Poll parse(String text) {
    for (Poll each : values()) {
      if (each.text.equals(text)) {
        return each;
      }
    }
    throw new IllegalArgumentException("'%s' is not 1ms, 10ms, 100ms or push".formatted(text));
  }
}
