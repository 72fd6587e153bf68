package corfu.access.quota;

import corfu.access.Quota;
import corfu.access.Rights;
import corfu.protocol.Identity;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.QuotaUse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An identity with a quota at one server, and its use of it. Lives on the server's loop. */
public final class QuotaAccount {

  private static final long PATIENCE_NANOS = LogUnitRequest.Listen.PATIENCE.toNanos();

  /** The largest number of followers whose streams are counted; more get no streams. */
  private static final int MOST_FOLLOWERS = 1_024;

  private final Identity identity;
  private final int number;
  private final TokenBucket appends;
  private final TokenBucket bytes;
  private final RateMeter appended;
  private final RateMeter moved;
  private final Map<Long, Followed> followers = new HashMap<>();
  private Quota quota = Quota.UNLIMITED;
  private Rights rights = Rights.NONE;
  private Holdings holdings = Holdings.NONE;
  private long allStreams;
  private long allStoredBytes;

  /** The streams that a follower followed when it was heard of. */
  private record Followed(int streams, long nanos) {}

  /**
   * The stored entries that count for the identity here.
   *
   * @param bytes their size
   * @param streams the number of their streams
   * @param sample the lowest hashes of these
   */
  record Holdings(long bytes, long streams, List<Long> sample) {
    static final Holdings NONE = new Holdings(0, 0, List.of());
  }

  /**
   * @param identity the identity
   * @param number its number at this server, above 0
   * @param nanos the present time
   */
  QuotaAccount(Identity identity, int number, long nanos) {
    this.identity = identity;
    this.number = number;
    this.appends = new TokenBucket(nanos);
    this.bytes = new TokenBucket(nanos);
    this.appended = new RateMeter(nanos);
    this.moved = new RateMeter(nanos);
  }

  Identity identity() {
    return identity;
  }

  int number() {
    return number;
  }

  Quota quota() {
    return quota;
  }

  Rights rights() {
    return rights;
  }

  /** Sets what the present policy says. */
  void isNow(Quota newest, Rights newRights) {
    quota = newest;
    rights = newRights;
    appends.limitTo(newest.appendsPerSecond());
  }

  // -------------------------------------------------------------------------------------- rates

  /**
   * Returns the time until so many appends are admitted in nanoseconds; charges them if it is 0.
   */
  long takeAppends(long count, long nanos) {
    long wait = appends.waitNanos(count, nanos);
    if (wait == 0) {
      appends.charge(count, nanos);
      appended.add(count, nanos);
    }
    return wait;
  }

  /**
   * Returns the time until so many bytes are admitted in nanoseconds; charges them if it is 0.
   *
   * @param chains the number of chains, among which the rate is divided
   */
  long takeBytes(long count, int chains, long nanos) {
    bytes.limitTo(share(chains));
    long wait = bytes.waitNanos(count, nanos);
    if (wait == 0) {
      chargeBytes(count, nanos);
    }
    return wait;
  }

  void chargeBytes(long count, long nanos) {
    bytes.charge(count, nanos);
    moved.add(count, nanos);
  }

  private long share(int chains) {
    long rate = quota.bytesPerSecond();
    return rate == Quota.NO_LIMIT ? rate : Math.max(1, rate / chains);
  }

  // ------------------------------------------------------------------------------ subscriptions

  /** Returns the number of further streams that a follower may follow. */
  int roomToFollow(long follower, long nanos) {
    followers.values().removeIf(each -> nanos - each.nanos > PATIENCE_NANOS);
    if (followers.size() >= MOST_FOLLOWERS && !followers.containsKey(follower)) {
      return 0;
    }
    return Math.clamp(quota.subscriptions() - subscriptions(), 0, Integer.MAX_VALUE);
  }

  /** Records how many streams a follower follows. */
  void follows(long follower, int streams, long nanos) {
    if (streams == 0) {
      followers.remove(follower);
    } else {
      followers.put(follower, new Followed(streams, nanos));
    }
  }

  /** Records that a follower lives. */
  void listens(long follower, long nanos) {
    followers.computeIfPresent(follower, (same, was) -> new Followed(was.streams, nanos));
  }

  /** Records that the log unit does not know the follower. */
  void isForgotten(long follower) {
    followers.remove(follower);
  }

  private int subscriptions() {
    return followers.values().stream().mapToInt(Followed::streams).sum();
  }

  // ------------------------------------------------------------------------------------ storage

  /** Sets what the server's own entries store for the identity. */
  void holds(Holdings counted) {
    holdings = counted;
  }

  /** Sets the use of all servers together. */
  void usesInAll(long streams, long storedBytes) {
    allStreams = streams;
    allStoredBytes = storedBytes;
  }

  boolean isStorageFull() {
    return allStoredBytes >= quota.storedBytes();
  }

  /** Returns whether the identity may not append to new streams. */
  boolean hasAllStreams() {
    return allStreams >= quota.streams();
  }

  /** Returns the use at this server. */
  QuotaUse use(int connections, long nanos) {
    return new QuotaUse(
        identity,
        appended.perSecond(nanos),
        moved.perSecond(nanos),
        holdings.bytes,
        holdings.streams,
        holdings.sample,
        subscriptions(),
        connections);
  }
}
