package corfu.zookeeper.machine;

import java.io.PrintWriter;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.zookeeper.server.SessionTracker;

/**
 * The sessions of a namespace as ZooKeeper's classes see them. Sessions begin and end in the log,
 * so most methods have nothing to do here.
 */
public class MachineSessionTracker implements SessionTracker {

  private final Supplier<SessionRegistry> registry;

  /** Creates a tracker of the sessions of the machine that is in use. */
  public MachineSessionTracker(Supplier<SessionRegistry> registry) {
    this.registry = registry;
  }

  @Override
  public long createSession(int sessionTimeout) {
    throw new UnsupportedOperationException("this server has no clients");
  }

  @Override
  public boolean trackSession(long id, int timeout) {
    return true;
  }

  @Override
  public boolean commitSession(long id, int timeout) {
    return true;
  }

  @Override
  public boolean touchSession(long sessionId, int sessionTimeout) {
    return registry.get().isSession(sessionId);
  }

  @Override
  public void setSessionClosing(long sessionId) {}

  @Override
  public void shutdown() {}

  /**
   * Does nothing: the machine ends a session itself. ZooKeeper's classes also call this for a close
   * that the machine has refused.
   */
  @Override
  public void removeSession(long sessionId) {}

  @Override
  public boolean isTrackingSession(long sessionId) {
    return registry.get().isSession(sessionId);
  }

  /** Accepts all: the machine has checked the session at the command's place in the log. */
  @Override
  public void checkSession(long sessionId, Object owner) {}

  @Override
  public void checkGlobalSession(long sessionId, Object owner) {}

  @Override
  public void setOwner(long id, Object owner) {}

  @Override
  public void dumpSessions(PrintWriter out) {
    Set<Long> sessions = globalSessions();
    out.println("Sessions (" + sessions.size() + "):");
    sessions.forEach(id -> out.println("0x" + Long.toHexString(id)));
  }

  /** Returns the sessions by their timeouts in milliseconds. */
  @Override
  public Map<Long, Set<Long>> getSessionExpiryMap() {
    Map<Long, Set<Long>> byTimeout = new TreeMap<>();
    registry
        .get()
        .sessionTimeouts()
        .forEach(
            (id, timeout) ->
                byTimeout.computeIfAbsent(timeout.longValue(), none -> new TreeSet<>()).add(id));
    return byTimeout;
  }

  @Override
  public long getLocalSessionCount() {
    return 0;
  }

  @Override
  public boolean isLocalSessionsEnabled() {
    return false;
  }

  @Override
  public Set<Long> globalSessions() {
    return new TreeSet<>(registry.get().sessionTimeouts().keySet());
  }

  @Override
  public Set<Long> localSessions() {
    return Set.of();
  }
}
