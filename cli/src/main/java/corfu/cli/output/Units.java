package corfu.cli.output;

import java.time.Duration;

/** Formats quantities for people. */
public final class Units {

  private static final long MINUTE_SECONDS = 60;
  private static final long HOUR_SECONDS = 60 * MINUTE_SECONDS;
  private static final long DAY_SECONDS = 24 * HOUR_SECONDS;

  private Units() {}

  /** Returns bytes with three digits, as 3.21 MB. */
  public static String bytes(long bytes) {
    if (bytes < 1000) {
      return bytes + " B";
    }
    String[] names = {"kB", "MB", "GB", "TB", "PB", "EB"};
    double value = bytes;
    int unit = -1;
    while (value >= 999.5 && unit < names.length - 1) {
      value /= 1000;
      unit++;
    }
    String format = value < 9.995 ? "%.2f %s" : value < 99.95 ? "%.1f %s" : "%.0f %s";
    return format.formatted(value, names[unit]);
  }

  /** Returns a time in seconds, for tables and scripts. */
  public static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }

  /** Returns a time in the largest unit of which it has two or more. */
  public static String time(Duration time) {
    long seconds = time.toSeconds();
    if (seconds < 1) {
      return time.toMillis() + " ms";
    }
    if (seconds < 2 * MINUTE_SECONDS) {
      return seconds + " s";
    }
    if (seconds < 2 * HOUR_SECONDS) {
      return seconds / MINUTE_SECONDS + " min";
    }
    return seconds < 2 * DAY_SECONDS
        ? seconds / HOUR_SECONDS + " h"
        : seconds / DAY_SECONDS + " days";
  }
}
