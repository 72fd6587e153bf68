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

  /** Longer than any session timeout. */
  private static final Duration NO_BOUND = Duration.ofDays(365);

  private final Map<Long, Clock> clocks = new ConcurrentHashMap<>();

  /**
   * Starts the clock of a session again. It never ends earlier than before: a vouch for an older
   * attachment may follow a newer attachment in the log.
   */
  void renew(long id, long lastVouch, long nowNanos, Duration left) {
    renew(id, lastVouch, nowNanos, left, NO_BOUND);
  }

  /**
   * Starts the clock of a session again.
   *
   * @param most the longest time until it ends; a session that moves may have a shorter timeout
   */
  void renew(long id, long lastVouch, long nowNanos, Duration left, Duration most) {
    clocks.merge(
        id,
        new Clock(lastVouch, nowNanos + left.toNanos(), 0),
        (before, now) ->
            before.endNanos() - now.endNanos() > 0 && before.endNanos() - nowNanos <= most.toNanos()
                ? new Clock(lastVouch, before.endNanos(), before.postponedNanos())
                : now);
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
