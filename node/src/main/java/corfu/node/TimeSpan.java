package corfu.node;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations in a form for people: {@code 300 ms}, {@code 10s}, {@code 5 min}. */
final class TimeSpan {

  private static final Pattern FORM = Pattern.compile("(\\d{1,9})\\s*(ms|s|min)");

  private TimeSpan() {}

  /**
   * Parses a duration.
   *
   * @throws ConfigException if the text is no duration
   */
  static Duration parse(String key, String text) {
    Matcher matcher = FORM.matcher(text.strip());
    if (!matcher.matches()) {
      throw new ConfigException(
          key
              + " = \""
              + text
              + "\" is no span of time; write a number and ms, s or min, such as \"300 ms\"");
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      default -> Duration.ofMinutes(number);
    };
  }

  /** Returns the duration to the millisecond, in the largest exact unit. */
  static String format(Duration span) {
    long millis = span.toMillis();
    if (millis % 1000 != 0 || millis == 0) {
      return millis + " ms";
    }
    return millis % 60_000 == 0 ? millis / 60_000 + " min" : millis / 1000 + " s";
  }
}
