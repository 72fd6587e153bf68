package corfu.protocol;

import java.util.HexFormat;

/**
 * The identity of one life of a server's disk: a random number. A log unit or layout server draws
 * it when it starts on an empty disk, and stores it there. A server that has lost its disk gets
 * another incarnation. Therefore it is not mistaken for the server that held the data or made the
 * promises.
 */
public record Incarnation(long value) {

  /**
   * No incarnation: of a server whose disk nobody has asked about, or on whose disk nobody relies.
   */
  public static final Incarnation NONE = new Incarnation(0);

  /** Returns whether this names a life of a disk, that is, differs from {@link #NONE}. */
  public boolean isKnown() {
    return value != 0;
  }

  /**
   * Parses the text that {@link #toString} writes.
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

  /** Returns the incarnation in hexadecimal, or an empty text for {@link #NONE}. */
  @Override
  public String toString() {
    return isKnown() ? HexFormat.of().toHexDigits(value) : "";
  }
}
