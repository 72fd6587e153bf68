package corfu.cli.argument;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number of bytes as an argument, such as {@code 4096}, {@code 4KiB} or {@code 10G}. A unit with
 * or without {@code iB} is a power of 1,024; with {@code B} alone it is a power of 1,000.
 *
 * @param bytes the number, 0 or more
 */
public record ByteCount(long bytes) {

  private static final Pattern COUNT = Pattern.compile("([0-9]{1,18})\\s*(?:([KMGTP])(I?B)?|B)?");
  private static final String UNITS = "KMGTP";

  /**
   * Parses an argument.
   *
   * @throws IllegalArgumentException if it is no number of bytes, or too large
   */
  public static ByteCount parse(String text) {
    Matcher matcher = COUNT.matcher(text.strip().toUpperCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "a number of bytes may have a unit, as in 4096, 4KiB or 10GiB, but this is '%s'"
              .formatted(text));
    }
    long base = "B".equals(matcher.group(3)) ? 1_000 : 1_024;
    long bytes = Long.parseLong(matcher.group(1));
    try {
      for (int i = matcher.group(2) == null ? -1 : UNITS.indexOf(matcher.group(2)); i >= 0; i--) {
        bytes = Math.multiplyExact(bytes, base);
      }
    } catch (ArithmeticException large) {
      throw new IllegalArgumentException("'%s' is too many bytes".formatted(text), large);
    }
    return new ByteCount(bytes);
  }

  @Override
  public String toString() {
    return Long.toString(bytes);
  }
}
