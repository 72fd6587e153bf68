package corfu.roles.layout;

/**
 * For how long a layout server grants leases, and how it judges signs of life.
 *
 * @param leaseMillis how long a lease is, counted from when it was asked for; 0 where the cluster
 *     uses none
 * @param gapMillis a server is steady while its signs of life come no further apart than this
 */
public record LeaseTerms(long leaseMillis, long gapMillis) {

  /** No leases. */
  public static final LeaseTerms OFF = of(0);

  private static final long MAX_MILLIS = 3_600_000;

  public LeaseTerms {
    if (leaseMillis < 0 || leaseMillis > MAX_MILLIS || gapMillis < 1 || gapMillis > MAX_MILLIS) {
      throw new IllegalArgumentException(
          "a lease has from 0 to "
              + MAX_MILLIS
              + " ms, and the gap between signs of life from 1, but these are "
              + leaseMillis
              + " and "
              + gapMillis);
    }
  }

  /** Leases of this length, and a gap of one second. */
  public static LeaseTerms of(long leaseMillis) {
    return new LeaseTerms(leaseMillis, 1_000);
  }

  /**
   * How long after it was granted a lease may still be in use, by the grantor's clock: a quarter
   * longer, for the clocks of who uses it and of who waits for its end.
   */
  long runsNanos() {
    return leaseMillis * 1_250_000;
  }

  long gapNanos() {
    return gapMillis * 1_000_000;
  }
}
