package corfu.zookeeper.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Measures how long sessions, or servers, have had no vouch. This server's own clock measures from
 * the moment at which it applied a vouch, and decides nothing: it proposes an expiry, which the log
 * refuses if there was another vouch meanwhile. Thread-safe.
 */
final class SessionClocks {

  /**
   * A clock that has run out.
   *
   * @param id the session or server
   * @param lastVouch the last vouch for it that was applied here
   */
  record Expired(long id, long lastVouch) {}

  private record Clock(long lastVouch, long endNanos, long postponedNanos) {
    Clock postponed(long nanos) {
      long more = Math.max(0, nanos - postponedNanos);
      return new Clock(lastVouch, endNanos + more, postponedNanos + more);
    }
  }

  private final Map<Long, Clock> clocks = new ConcurrentHashMap<>();

  /**
   * Starts the clock of a session again. It ends no earlier than before, but within the timeout. A
   * vouch for an older attachment may follow a newer attachment in the log, and a session that
   * moves may have a shorter timeout.
   *
   * @param timeout the time without a vouch after which the session is over
   * @param idle the part of it that has passed already
   */
  void renew(long id, long lastVouch, long nowNanos, Duration timeout, Duration idle) {
    long latest = nowNanos + timeout.toNanos();
    clocks.merge(
        id,
        new Clock(lastVouch, latest - idle.toNanos(), 0),
        (before, now) -> {
          long kept = earlier(before.endNanos(), latest);
          return kept - now.endNanos() > 0 ? new Clock(lastVouch, kept, 0) : now;
        });
  }

  /** Times are compared by their difference, because a clock may overflow. */
  private static long earlier(long one, long other) {
    return one - other < 0 ? one : other;
  }

  void remove(long id) {
    clocks.remove(id);
  }

  void clear() {
    clocks.clear();
  }

  /**
   * Stops all clocks for a time in which this server could not read the log. Of several such times
   * without a vouch in between, the longest one counts. Otherwise a server whose log is always slow
   * would never find that a session has ended.
   */
  void postpone(long nanos) {
    clocks.replaceAll((id, clock) -> clock.postponed(nanos));
  }

  /** Returns the clocks that have run out. */
  List<Expired> expired(long nowNanos) {
    List<Expired> expired = new ArrayList<>();
    clocks.forEach(
        (id, clock) -> {
          if (nowNanos - clock.endNanos() >= 0) {
            expired.add(new Expired(id, clock.lastVouch()));
          }
        });
    return expired;
  }
}
