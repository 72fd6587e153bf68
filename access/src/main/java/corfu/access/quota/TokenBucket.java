package corfu.access.quota;

import corfu.access.Quota;

/**
 * A rate with bursts of one second. Costs of up to a burst never exceed {@code rate * t + burst} in
 * any time t. A larger cost is admitted when the bucket is full, and puts it into debt. Not
 * thread-safe.
 */
final class TokenBucket {

  private static final long BURST_NANOS = 1_000_000_000L;

  /** More is never charged at once, so that no product overflows. */
  private static final long MOST_COST = 8_000_000_000L;

  private long perSecond = Quota.NO_LIMIT;
  private long fullAt;

  /**
   * @param nanos the present time
   */
  TokenBucket(long nanos) {
    fullAt = nanos;
  }

  /** Sets the rate from now on. Earlier charges stay. */
  void limitTo(long rate) {
    perSecond = rate;
  }

  boolean isLimited() {
    return perSecond != Quota.NO_LIMIT;
  }

  /**
   * Returns the time until a cost is admitted, in nanoseconds; 0 if it is admitted now.
   *
   * @param cost the number of tokens; 0 asks whether the bucket is not empty
   */
  long waitNanos(long cost, long nanos) {
    if (!isLimited()) {
      return 0;
    }
    long needed = Math.min(BURST_NANOS, Math.max(1, nanosOf(cost)));
    return Math.max(0, fullAt - nanos - BURST_NANOS + needed);
  }

  /** Takes a cost from the bucket, whether it was admitted or not. */
  void charge(long cost, long nanos) {
    if (isLimited() && cost > 0) {
      fullAt = (fullAt - nanos > 0 ? fullAt : nanos) + nanosOf(cost);
    }
  }

  /** Rounds up, so that the rate is never exceeded. */
  private long nanosOf(long cost) {
    long nanos = Math.min(cost, MOST_COST) * BURST_NANOS;
    return (nanos - 1) / perSecond + (nanos > 0 ? 1 : 0);
  }
}
