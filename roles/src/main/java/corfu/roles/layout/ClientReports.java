package corfu.roles.layout;

import corfu.protocol.Endpoint;
import corfu.protocol.message.LayoutReply.Complaint;
import corfu.protocol.message.LayoutReply.Reports;
import corfu.protocol.message.LayoutRequest.Report;
import corfu.protocol.message.Origin;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The last report of each client, for a few seconds. A client is an {@link Origin}, whatever it
 * claims. Not thread-safe.
 *
 * <p>A client that misses more servers than it reaches has a broken network of its own: its report
 * counts neither for nor against any server.
 */
final class ClientReports {

  /** Reports of further clients are not taken until former ones are forgotten. */
  static final int MAX_CLIENTS = 4_096;

  /** A report counts for this long: healthy clients repeat theirs every second. */
  static final long ACTIVE_NANOS = TimeUnit.MILLISECONDS.toNanos(2_200);

  /** A client is known for this long after its last report. */
  static final long KNOWN_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Map<Origin, Told> clients = new HashMap<>();

  /**
   * What a client has said last.
   *
   * @param unreachable members that it does not reach
   * @param counts whether it reaches as many members as it misses, or more
   */
  private record Told(Set<Endpoint> unreachable, boolean counts, long atNanos) {}

  /**
   * Takes the report of a client, which replaces its former one.
   *
   * @param members the servers of the newest layout; others do not count
   */
  void take(Origin origin, Report report, Set<Endpoint> members, long nowNanos) {
    if (clients.size() >= MAX_CLIENTS) {
      forgetOld(nowNanos);
    }
    if (!origin.isKnown() || (clients.size() >= MAX_CLIENTS && !clients.containsKey(origin))) {
      return;
    }
    Set<Endpoint> reached = new HashSet<>(report.reached());
    reached.retainAll(members);
    Set<Endpoint> unreachable = new LinkedHashSet<>(report.unreachable());
    unreachable.retainAll(members);
    unreachable.removeAll(reached);
    boolean counts = reached.size() >= unreachable.size();
    clients.put(origin, new Told(Set.copyOf(unreachable), counts, nowNanos));
  }

  /** How many clients do not reach each of these servers. */
  Reports summary(Set<Endpoint> members, long nowNanos) {
    forgetOld(nowNanos);
    List<Told> active =
        clients.values().stream()
            .filter(told -> told.counts() && nowNanos - told.atNanos() <= ACTIVE_NANOS)
            .toList();
    List<Complaint> complaints = new ArrayList<>();
    for (Endpoint member : members) {
      long missing = active.stream().filter(told -> told.unreachable().contains(member)).count();
      if (missing > 0) {
        complaints.add(new Complaint(member, (int) missing));
      }
    }
    return new Reports(active.size(), clients.size(), complaints);
  }

  private void forgetOld(long nowNanos) {
    clients.values().removeIf(told -> nowNanos - told.atNanos() > KNOWN_NANOS);
  }
}
