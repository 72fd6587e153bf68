package corfu.silver.lock.internal.machine;

import java.util.Map;

/** The sessions of a machine, as a mount reads them. */
public interface SessionView {

  /** Returns all sessions, by their ids. */
  Map<Long, SessionState> sessions();

  /** Returns the locks and requests of a session. */
  SessionLocks locksOf(long session);
}
