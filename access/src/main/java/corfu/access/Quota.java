package corfu.access;

/**
 * The resources that one identity may use. {@link #NO_LIMIT} means that the quota has no limit for
 * a resource. Servers and administrators have no quota.
 *
 * <p>A request over a rate has no effect, and is answered with the time to wait. Both rates allow
 * bursts of one second. A request that is larger than that is admitted after a second without
 * requests, and delays the next ones.
 *
 * <p>An identity's streams are those to which it appended last. After a restart of a server, they
 * are those to which it may append by a grant that needs no name. Servers count them every few
 * seconds, so the limits of streams and stored bytes are exceeded by what is appended meanwhile.
 *
 * @param bytesPerSecond the rate of appended and read bytes, 1 or more. Each chain admits its share
 *     of the appended bytes at its head; each log unit shows as many bytes as the share of a chain.
 *     Reads count when they are answered, and delay the next request
 * @param appendsPerSecond the rate of tokens, 1 or more. The sequencer admits them. A call of a
 *     hosted view counts as one append at its host
 * @param streams the number of streams with stored entries, 0 or more. Over it, there are no tokens
 *     for new streams
 * @param storedBytes the size of the stored entries of the identity's streams in bytes, 0 or more;
 *     an entry counts once for each of its streams. From it on, there are no tokens
 * @param subscriptions the number of streams that the identity follows at one log unit, 0 or more.
 *     Entries of further streams are not pushed: the client polls these streams
 * @param connections the number of connections to one server, 1 or more. The server closes further
 *     ones in their handshakes
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

  /** Returns whether the quota limits streams or stored bytes. */
  public boolean limitsStorage() {
    return streams != NO_LIMIT || storedBytes != NO_LIMIT;
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
