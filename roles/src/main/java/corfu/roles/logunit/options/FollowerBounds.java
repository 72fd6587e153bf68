package corfu.roles.logunit.options;

/**
 * How much those who follow streams may cost a log unit. Who is refused, or is not told of all,
 * reads the log instead.
 *
 * @param followers how many there may be
 * @param streams how many streams all of them may follow together, each counted as often as it is
 *     followed
 * @param bytesEach what may wait for one of them: beyond, all of that is dropped
 * @param bytes what may wait for all of them
 */
public record FollowerBounds(int followers, int streams, long bytesEach, long bytes) {

  /** At worst 64 MiB of entries, and some 100 MiB for the names of streams. */
  public static final FollowerBounds DEFAULT = new FollowerBounds(1024, 1 << 20, 4 << 20, 64 << 20);

  public FollowerBounds {
    if (followers < 0 || streams < 0 || bytesEach < 0 || bytes < 0) {
      throw new IllegalArgumentException(
          "followers are bounded by 0 or more, not by "
              + (followers + " of them, " + streams + " streams, ")
              + (bytesEach + " bytes each and " + bytes + " in all"));
    }
  }
}
