package corfu.zookeeper.server;

import corfu.zookeeper.machine.MachineSessionTracker;
import java.util.concurrent.atomic.AtomicLong;

/** Names the sessions that begin on this server. */
final class LiveSessionTracker extends MachineSessionTracker {

  /**
   * A session's id is its server's number in 23 bits, and the server's number for it in 40. The
   * first byte must not be 0xff, which marks TTL nodes.
   */
  private static final int COUNTER_BITS = 40;

  private static final long MAX_SERVER = (1L << 23) - 1;

  private final LiveHost host;
  private final Connections connections;
  private final boolean isLocal;
  private final AtomicLong counter = new AtomicLong();

  LiveSessionTracker(LiveHost host, Connections connections, boolean isLocal) {
    super(() -> host.machine().sessionRegistry());
    this.host = host;
    this.connections = connections;
    this.isLocal = isLocal;
  }

  @Override
  public long createSession(int sessionTimeout) {
    return (host.number() & MAX_SERVER) << COUNTER_BITS | counter.incrementAndGet();
  }

  @Override
  public void removeSession(long session) {
    if (connections.localSession(session) != null) {
      connections.ended(session);
    }
  }

  @Override
  public boolean isLocalSessionsEnabled() {
    return isLocal;
  }

  @Override
  public long getLocalSessionCount() {
    return connections.localSessions();
  }
}
