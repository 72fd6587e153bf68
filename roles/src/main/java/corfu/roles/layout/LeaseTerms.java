package corfu.roles.layout;

/**
 * The duration of a layout server's leases, and its rule for signs of life.
 *
 * @param leaseMillis the duration of a lease in milliseconds, counted from the request for it; 0 if
 *     the cluster uses no leases
 * @param gapMillis the longest gap between the signs of life of a steady server, in milliseconds
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

  /** Returns terms with leases of this length, and a gap of one second. */
  public static LeaseTerms of(long leaseMillis) {
    return new LeaseTerms(leaseMillis, 1_000);
  }

  /**
   * Returns the time for which a lease may be in use after its grant, by the grantor's clock, in
   * nanoseconds. It is a quarter longer than the lease, to allow for the clocks of the user and of
   * the server that waits for the lease's end.
   */
  long runsNanos() {
    return leaseMillis * 1_250_000;
  }

  long gapNanos() {
    return gapMillis * 1_000_000;
  }
}
