package corfu.roles.layout;

import corfu.protocol.Endpoint;
import corfu.protocol.message.LayoutReply.Granted;
import corfu.protocol.message.LayoutReply.RunningLease;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The leases that a layout server has granted since its start. Before a restart, it may have
 * granted leases to any server of the layout. Until these have run out, all of them count as
 * running. Not thread-safe.
 */
final class LeaseGrants {

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final LeaseTerms terms;
  private final long formerEnd;
  private final Map<Endpoint, Long> ends = new HashMap<>(); // readings of the clock

  /**
   * @param terms the duration of leases
   * @param startNanos the clock's reading at the start
   */
  LeaseGrants(LeaseTerms terms, long startNanos) {
    this.terms = terms;
    this.formerEnd = startNanos + terms.runsNanos();
  }

  Granted grant(Endpoint server, long nowNanos) {
    if (terms.leaseMillis() > 0) {
      forgetEnded(nowNanos);
      ends.put(server, nowNanos + terms.runsNanos());
    }
    return new Granted(terms.leaseMillis());
  }

  /**
   * Returns the leases that may still be in use.
   *
   * @param members the servers of the newest layout
   * @param nowNanos the clock's reading
   */
  List<RunningLease> running(Set<Endpoint> members, long nowNanos) {
    forgetEnded(nowNanos);
    Map<Endpoint, Long> remaining = new LinkedHashMap<>();
    if (formerEnd - nowNanos > 0) {
      members.forEach(member -> remaining.put(member, formerEnd - nowNanos));
    }
    ends.forEach((server, end) -> remaining.merge(server, end - nowNanos, Math::max));
    List<RunningLease> leases = new ArrayList<>();
    remaining.forEach(
        (server, nanos) ->
            leases.add(new RunningLease(server, Math.ceilDiv(nanos, NANOS_PER_MILLI))));
    return leases;
  }

  private void forgetEnded(long nowNanos) {
    ends.values().removeIf(end -> end - nowNanos <= 0);
  }
}
