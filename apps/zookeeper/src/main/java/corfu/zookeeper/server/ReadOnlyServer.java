package corfu.zookeeper.server;

import corfu.zookeeper.machine.MachineSessionTracker;
import corfu.zookeeper.machine.NamespaceMachine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.FinalRequestProcessor;
import org.apache.zookeeper.server.OpenServerConf;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.ServerCnxn;
import org.apache.zookeeper.server.ServerCnxn.DisconnectReason;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.ZooKeeperServerConf;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.zookeeper.server.quorum.OpenReadOnlyServer;
import org.apache.zookeeper.server.quorum.QuorumPeer;

/**
 * Serves reads while the log is out of reach, to clients that allow it. Its sessions are its own,
 * and end with their connections. The tree is as it was when the log was last in reach.
 *
 * <p>Thread-safe.
 */
public final class ReadOnlyServer extends OpenReadOnlyServer {

  /** The sign bit is free: other servers' sessions have positive ids. */
  private static final long FIRST_SESSION = Long.MIN_VALUE;

  private static final String STORE = "the state when the log was last in reach";
  private static final long NO_SYNC = -1;

  private final NamespaceMachine machine;
  private final FinalRequestProcessor replier;
  private final Set<Long> sessions = ConcurrentHashMap.newKeySet();
  private final AtomicLong lastSession = new AtomicLong(FIRST_SESSION);

  private ReadOnlyServer(
      FileTxnSnapLog unused, QuorumPeer peer, ZooKeeperServer server, NamespaceMachine machine) {
    super(unused, peer, machine.database());
    this.machine = machine;
    setTickTime(server.getTickTime());
    setMinSessionTimeout(server.getMinSessionTimeout());
    setMaxSessionTimeout(server.getMaxSessionTimeout());
    setServerCnxnFactory(server.getServerCnxnFactory());
    setSecureServerCnxnFactory(server.getSecureServerCnxnFactory());
    sessionTracker = new Tracker();
    this.replier = new FinalRequestProcessor(this);
    state = State.RUNNING;
  }

  /**
   * Creates a server of the state that another one has now.
   *
   * @throws IOException if there is no room for an empty directory, which ZooKeeper's class needs
   */
  public static ReadOnlyServer of(ZooKeeperServer server, NamespaceMachine machine)
      throws IOException {
    Path empty = Files.createTempDirectory("corfu-zookeeper");
    try {
      return new ReadOnlyServer(
          new FileTxnSnapLog(empty.toFile(), empty.toFile()), new QuorumPeer(), server, machine);
    } finally {
      Files.deleteIfExists(empty.resolve("version-2"));
      Files.deleteIfExists(empty);
    }
  }

  /** Names the sessions. */
  private final class Tracker extends MachineSessionTracker {
    private Tracker() {
      super(machine::sessionRegistry);
    }

    @Override
    public long createSession(int sessionTimeout) {
      long session = lastSession.incrementAndGet();
      sessions.add(session);
      return session;
    }

    @Override
    public boolean touchSession(long session, int sessionTimeout) {
      return sessions.contains(session);
    }

    @Override
    public void removeSession(long session) {
      sessions.remove(session);
    }
  }

  @Override
  public void createSessionTracker() {}

  @Override
  protected void startSessionTracker() {}

  @Override
  protected void setLocalSessionFlag(Request request) {
    request.setLocalSession(true);
  }

  /** Sessions that other servers know go on when the log is in reach again. */
  @Override
  protected void validateSession(ServerCnxn connection, long session) throws IOException {
    if (!sessions.contains(session)) {
      throw new ServerCnxn.CloseRequestException(
          "the log is out of reach, so this server cannot continue a session",
          DisconnectReason.RENEW_GLOBAL_SESSION_IN_RO_MODE);
    }
  }

  @Override
  public void submitRequest(Request request) {
    if (request.cnxn == null) {
      return;
    }
    incInProcess();
    setLocalSessionFlag(request);
    if (RequestKind.of(request.type).isRefusedReadOnly()) {
      request.setException(new KeeperException.NotReadOnlyException());
    }
    Lock lock = machine.readLock();
    lock.lock();
    try {
      replier.processRequest(request);
    } finally {
      lock.unlock();
    }
    if (request.type == OpCode.closeSession) {
      sessions.remove(request.sessionId);
    }
  }

  @Override
  public long getServerId() {
    return 0;
  }

  @Override
  public long getDataDirSize() {
    return 0;
  }

  @Override
  public long getLogDirSize() {
    return 0;
  }

  @Override
  public ZooKeeperServerConf getConf() {
    return OpenServerConf.of(this, STORE);
  }

  /** The log is synced by its log units. */
  @Override
  public long getTxnLogElapsedSyncTime() {
    return NO_SYNC;
  }

  @Override
  public void dumpConf(PrintWriter out) {
    out.println("clientPort=" + getClientPort());
    out.println("tickTime=" + getTickTime());
  }
}
