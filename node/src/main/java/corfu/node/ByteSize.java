package corfu.node;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sizes in a form for people: {@code 512}, {@code 64 KiB}, {@code 16MiB}, {@code 2 GiB}, {@code 1
 * TiB}.
 */
final class ByteSize {

  private static final Pattern FORM = Pattern.compile("(\\d{1,15})\\s*([KMGT]iB|B)?");

  private ByteSize() {}

  /**
   * Parses a size.
   *
   * @throws ConfigException if the text is no size
   */
  static long parse(String key, String text) {
    Matcher matcher = FORM.matcher(text.strip());
    if (!matcher.matches()) {
      throw new ConfigException(
          key
              + " = \""
              + text
              + "\" is no size; write a number and B, KiB, MiB, GiB or TiB, such as \"64 MiB\"");
    }
    String unit = matcher.group(2) == null ? "B" : matcher.group(2);
    int shift = 10 * "BKMGT".indexOf(unit.charAt(0));
    long number = Long.parseLong(matcher.group(1));
    if (number > Long.MAX_VALUE >> shift) {
      throw new ConfigException(key + " = \"" + text + "\" is too large");
    }
    return number << shift;
  }

  /** Returns the shortest exact form. */
  static String format(long bytes) {
    int shift = 0;
    while (shift < 40 && bytes != 0 && (bytes >> shift & 1023) == 0) {
      shift += 10;
    }
    return (bytes >> shift) + " " + (shift == 0 ? "B" : "KMGT".charAt(shift / 10 - 1) + "iB");
  }
}
