package corfu.node;

import corfu.roles.layout.LeaseTerms;
import java.time.Duration;

/**
 * How the servers of a cluster supervise each other.
 *
 * @param leases whether log units answer reads, and sequencers tell the tail, only with a lease of
 *     a majority of the layout servers. Without leases, a client that is cut off together with a
 *     dropped server may get stale reads. But the loss of a majority of layout servers does not
 *     stop reads.
 * @param lease the duration of a lease; servers renew it after a third of that
 * @param agent whether layout servers replace failed servers; otherwise an operator does
 * @param suspicion the silence after which a server counts as dead
 * @param trust the time for which a dropped server must live before it is used again; twice as long
 *     each time
 */
public record Supervision(
    boolean leases, Duration lease, boolean agent, Duration suspicion, Duration trust) {

  private static final Duration SHORTEST_LEASE = Duration.ofMillis(30);
  private static final Duration LONGEST = Duration.ofHours(1);
  private static final Duration SIGNS_WITHOUT_LEASES = Duration.ofMillis(100);
  private static final int SIGNS_IN_A_LEASE = 3;

  /** Leases of 300 ms, and an agent that suspects after 400 ms, and trusts after 10 s. */
  public static final Supervision DEFAULT =
      new Supervision(
          true, Duration.ofMillis(300), true, Duration.ofMillis(400), Duration.ofSeconds(10));

  public Supervision {
    if (lease.compareTo(SHORTEST_LEASE) < 0 || lease.compareTo(LONGEST) > 0) {
      throw new ConfigException("lease is from 30 ms to 60 min");
    }
    Duration shortest = signs(leases, lease).multipliedBy(2);
    if (suspicion.compareTo(shortest) < 0 || suspicion.compareTo(LONGEST) > 0) {
      throw new ConfigException(
          "suspicion = \""
              + TimeSpan.format(suspicion)
              + "\" is from two signs of life, which is "
              + TimeSpan.format(shortest)
              + " here, to 60 min");
    }
    if (trust.isNegative() || trust.compareTo(LONGEST) > 0) {
      throw new ConfigException("trust is up to 60 min");
    }
  }

  /** Returns the time between two signs of life. */
  Duration signs() {
    return signs(leases, lease);
  }

  private static Duration signs(boolean leases, Duration lease) {
    return leases ? lease.dividedBy(SIGNS_IN_A_LEASE) : SIGNS_WITHOUT_LEASES;
  }

  /** Returns the lease terms of layout servers. */
  LeaseTerms terms() {
    return leases ? LeaseTerms.of(lease.toMillis()) : LeaseTerms.OFF;
  }

  /** Returns the same supervision with or without an agent. */
  public Supervision withAgent(boolean mends) {
    return new Supervision(leases, lease, mends, suspicion, trust);
  }

  /** Returns the same supervision with or without leases. */
  public Supervision withLeases(boolean needed) {
    return new Supervision(needed, lease, agent, suspicion, trust);
  }

  /** Returns the same supervision with another trust. */
  public Supervision withTrust(Duration time) {
    return new Supervision(leases, lease, agent, suspicion, time);
  }
}
