package corfu.roles.logunit.format;

/** The names of log files. Each name contains the file's sequence number. */
public final class LogFileName {

  /** The suffix of files that a restart deletes. */
  public static final String TEMPORARY = ".tmp";

  private static final String PREFIX = "segment-";
  private static final String SUFFIX = ".log";

  private LogFileName() {}

  public static String of(long sequence) {
    return "%s%016x%s".formatted(PREFIX, sequence, SUFFIX);
  }

  public static boolean isName(String name) {
    return name.matches(PREFIX + "[0-9a-f]{16}" + SUFFIX);
  }

  /**
   * Returns whether this is the name of a log file below {@code first}, the first number that
   * counts.
   */
  public static boolean isVoid(String name, long first) {
    return isName(name) && sequenceOf(name) < first;
  }

  public static long sequenceOf(String name) {
    return Long.parseUnsignedLong(name.substring(PREFIX.length(), PREFIX.length() + 16), 16);
  }
}
