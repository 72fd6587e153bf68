package corfu.silver.lock.internal.mount;

import corfu.silver.lock.internal.command.LockCommand.Expire;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Measures the silence of sessions with this mount's own clock. It decides nothing: it proposes the
 * end of a session, which the log refuses if the session was not silent. The owner of the mount's
 * lock calls it.
 *
 * <p>A proposal comes a quarter of the timeout later than the session's own mount stops to rely on
 * it. So clocks may differ in rate by a fifth.
 */
public final class SessionWatch {

  private record Silence(long sequence, long endNanos) {}

  private final Map<Long, Silence> sessions = new LinkedHashMap<>();

  /**
   * Begins to measure again.
   *
   * @param session the session
   * @param sequence the number of its last command
   * @param timeoutMillis its timeout in milliseconds
   * @param nowNanos the time
   */
  public void renewed(long session, long sequence, int timeoutMillis, long nowNanos) {
    long timeoutNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    sessions.put(session, new Silence(sequence, nowNanos + timeoutNanos + timeoutNanos / 4));
  }

  /** Forgets a session. */
  public void ended(long session) {
    sessions.remove(session);
  }

  /** Forgets all sessions. */
  public void clear() {
    sessions.clear();
  }

  /** Returns a proposal for each session that was silent for too long. */
  public List<Expire> overdue(long nowNanos) {
    List<Expire> proposals = new ArrayList<>();
    sessions.forEach(
        (session, silence) -> {
          if (nowNanos - silence.endNanos() >= 0) {
            proposals.add(new Expire(session, silence.sequence()));
          }
        });
    return proposals;
  }
}
