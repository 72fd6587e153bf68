package corfu.protocol;

import java.util.HexFormat;

/**
 * Which life of a server's disk is meant: a random number that a log unit or layout server draws
 * when it starts on an empty disk, and keeps there. A server that has lost its disk has another
 * one, so it is not taken for the one that held the data or made the promises.
 */
public record Incarnation(long value) {

  /** Of a server whose disk nobody has asked for, or relies on. */
  public static final Incarnation NONE = new Incarnation(0);

  /** Whether any life of the disk is meant at all. */
  public boolean isKnown() {
    return value != 0;
  }

  /**
   * Reads what {@link #toString} wrote.
   *
   * @throws IllegalArgumentException if the text is neither empty nor hexadecimal
   */
  public static Incarnation parse(String text) {
    try {
      return text.isEmpty() ? NONE : new Incarnation(HexFormat.fromHexDigitsToLong(text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "an incarnation has up to 16 hexadecimal digits, but this is '" + text + "'", e);
    }
  }

  /** Hexadecimal; empty for {@link #NONE}. */
  @Override
  public String toString() {
    return isKnown() ? HexFormat.of().toHexDigits(value) : "";
  }
}
