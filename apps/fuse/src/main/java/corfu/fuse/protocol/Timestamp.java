package corfu.fuse.protocol;

/**
 * A time of a file.
 *
 * @param seconds seconds since 1970, negative before
 * @param nanos nanoseconds within the second, 0 to 999,999,999
 */
public record Timestamp(long seconds, int nanos) {

  /** The start of 1970. */
  public static final Timestamp EPOCH = new Timestamp(0, 0);

  public Timestamp {
    if (nanos < 0 || nanos > 999_999_999) {
      throw new IllegalArgumentException(nanos + " nanoseconds; a second has 0 to 999,999,999");
    }
  }
}
