package corfu.roles.layout;

import corfu.protocol.Endpoint;
import corfu.protocol.message.LayoutReply.Complaint;
import corfu.protocol.message.LayoutReply.Reports;
import corfu.protocol.message.LayoutRequest.Report;
import corfu.protocol.message.RequestOrigin;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The last report of each client from the last few seconds. A client is identified by its {@link
 * RequestOrigin}, not by its own claims. Not thread-safe.
 *
 * <p>A client that misses more servers than it reaches has a broken network of its own: its report
 * counts neither for nor against any server. A new client counts in the total, but its complaints
 * do not count yet.
 */
final class ClientReports {

  /**
   * The largest number of clients. Reports of further clients are dropped until old ones are
   * forgotten.
   */
  static final int MAX_CLIENTS = 4_096;

  /** The time for which a report counts: healthy clients repeat theirs every second. */
  static final long ACTIVE_NANOS = TimeUnit.MILLISECONDS.toNanos(2_200);

  /** The time for which a client is known after its last report. */
  static final long KNOWN_NANOS = TimeUnit.SECONDS.toNanos(10);

  /**
   * The time after which a new client's complaints count: by then healthy clients have reported,
   * too.
   */
  static final long SETTLED_NANOS = TimeUnit.MILLISECONDS.toNanos(1_200);

  private static final long FORGET_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Map<RequestOrigin, Told> clients = new HashMap<>();
  private long forgottenAt;

  /**
   * The last report of a client.
   *
   * @param unreachable the members that the client does not reach
   * @param counts whether the client reaches at least as many members as it misses
   * @param sinceNanos the time at which the client became known
   * @param atNanos the time of the report
   */
  private record Told(Set<Endpoint> unreachable, boolean counts, long sinceNanos, long atNanos) {

    boolean isActive(long nowNanos) {
      return counts && nowNanos - atNanos <= ACTIVE_NANOS;
    }

    boolean misses(Endpoint server, long nowNanos) {
      return nowNanos - sinceNanos >= SETTLED_NANOS && unreachable.contains(server);
    }
  }

  /**
   * @param startNanos the clock's reading at the start of this process's role
   */
  ClientReports(long startNanos) {
    this.forgottenAt = startNanos;
  }

  /**
   * Stores a client's report, which replaces its previous one.
   *
   * @param origin the client
   * @param report the report
   * @param members the servers of the newest layout; others do not count
   * @param nowNanos the clock's reading
   */
  void take(RequestOrigin origin, Report report, Set<Endpoint> members, long nowNanos) {
    forgetOld(nowNanos);
    if (!origin.isKnown() || (clients.size() >= MAX_CLIENTS && !clients.containsKey(origin))) {
      return;
    }
    Set<Endpoint> reached = new HashSet<>(report.reached());
    reached.retainAll(members);
    Set<Endpoint> unreachable = new LinkedHashSet<>(report.unreachable());
    unreachable.retainAll(members);
    unreachable.removeAll(reached);
    boolean counts = reached.size() >= unreachable.size();
    Told before = clients.get(origin);
    long since = before == null ? nowNanos : before.sinceNanos();
    clients.put(origin, new Told(Set.copyOf(unreachable), counts, since, nowNanos));
  }

  /** Returns, for each of these servers, how many clients do not reach it. */
  Reports summary(Set<Endpoint> members, long nowNanos) {
    forgetOld(nowNanos);
    List<Told> active = clients.values().stream().filter(told -> told.isActive(nowNanos)).toList();
    List<Complaint> complaints = new ArrayList<>();
    for (Endpoint member : members) {
      long missing = active.stream().filter(told -> told.misses(member, nowNanos)).count();
      if (missing > 0) {
        complaints.add(new Complaint(member, (int) missing));
      }
    }
    return new Reports(active.size(), clients.size(), complaints);
  }

  private void forgetOld(long nowNanos) {
    if (nowNanos - forgottenAt < FORGET_NANOS) {
      return;
    }
    forgottenAt = nowNanos;
    clients.values().removeIf(told -> nowNanos - told.atNanos() > KNOWN_NANOS);
  }
}
