package corfu.roles.logunit.options;

/**
 * Bounds of a log unit's costs for followers of streams. A follower that is refused, or misses
 * entries, reads the log instead.
 *
 * @param followers the largest number of followers
 * @param streams the largest number of streams of all followers, each counted as often as it is
 *     followed
 * @param bytesEach the largest size of the entries that wait for one follower, in bytes; beyond it
 *     all of them are dropped
 * @param bytes the largest size of the entries that wait for all followers, in bytes
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
