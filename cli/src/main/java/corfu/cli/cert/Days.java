package corfu.cli.cert;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads whole days, as 90 or 90d. */
final class Days implements ITypeConverter<Duration> {

  private static final Pattern DAYS = Pattern.compile("([1-9]\\d{0,4})d?");

  @Override
  public Duration convert(String text) {
    Matcher matcher = DAYS.matcher(text.strip());
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "a number of days is from 1 to 99999, as 90 or 90d, but this is '" + text + "'");
    }
    return Duration.ofDays(Long.parseLong(matcher.group(1)));
  }
}
