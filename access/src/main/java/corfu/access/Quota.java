package corfu.access;

/**
 * The resources that one identity may use. {@link #NO_LIMIT} means that the quota has no limit for
 * a resource.
 *
 * @param bytesPerSecond the rate of appended and read bytes
 * @param appendsPerSecond the rate of appended entries
 * @param streams the number of streams
 * @param storedBytes the size of the stored entries in bytes
 * @param subscriptions the number of followed streams
 * @param connections the number of connections to one server
 */
public record Quota(
    long bytesPerSecond,
    long appendsPerSecond,
    long streams,
    long storedBytes,
    long subscriptions,
    long connections) {

  /** A resource without a limit. */
  public static final long NO_LIMIT = Long.MAX_VALUE;

  /** No limit at all. */
  public static final Quota UNLIMITED =
      new Quota(NO_LIMIT, NO_LIMIT, NO_LIMIT, NO_LIMIT, NO_LIMIT, NO_LIMIT);

  public Quota {
    if (bytesPerSecond < 1
        || appendsPerSecond < 1
        || streams < 0
        || storedBytes < 0
        || subscriptions < 0
        || connections < 1) {
      throw new IllegalArgumentException(
          "a quota has rates and connections of 1 or more, and no negative numbers");
    }
  }

  /** Returns a quota with the lower limit of each resource. */
  Quota and(Quota other) {
    return new Quota(
        Math.min(bytesPerSecond, other.bytesPerSecond),
        Math.min(appendsPerSecond, other.appendsPerSecond),
        Math.min(streams, other.streams),
        Math.min(storedBytes, other.storedBytes),
        Math.min(subscriptions, other.subscriptions),
        Math.min(connections, other.connections));
  }
}
