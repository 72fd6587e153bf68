package corfu.zookeeper.server;

import corfu.smr.StateMachineReplica;
import corfu.world.World;
import corfu.zookeeper.ZooKeeperOptions;
import corfu.zookeeper.command.CommandCodec;
import corfu.zookeeper.command.NamespaceCommand;
import corfu.zookeeper.command.NamespaceCommand.AttachSession;
import corfu.zookeeper.command.NamespaceCommand.ClientRequest;
import corfu.zookeeper.command.NamespaceCommand.CreateSession;
import corfu.zookeeper.command.NamespaceCommand.Origin;
import corfu.zookeeper.machine.NamespaceMachine;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.proto.ConnectRequest;
import org.apache.zookeeper.proto.ReplyHeader;
import org.apache.zookeeper.server.ClientCnxnLimitException;
import org.apache.zookeeper.server.FinalRequestProcessor;
import org.apache.zookeeper.server.OpenServerCnxn;
import org.apache.zookeeper.server.OpenServerConf;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.ServerCnxn;
import org.apache.zookeeper.server.ServerCnxn.DisconnectReason;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.ZooKeeperServerConf;
import org.apache.zookeeper.txn.CreateSessionTxn;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * ZooKeeper's server, with the log in place of its broadcast protocol. Connections hand over their
 * requests here. Changes are appended as commands, and get their replies when they are applied.
 * Reads are executed at once, behind earlier requests of the same connection.
 *
 * <p>Thread-safe.
 */
public final class TranslationServer extends ZooKeeperServer {

  private static final Logger LOG = LoggerFactory.getLogger(TranslationServer.class);

  private static final byte[] NO_BODY = {};
  private static final long NO_ZXID = -1;
  private static final long NO_SYNC = -1;

  private final World world;
  private final ZooKeeperOptions options;
  private final Connections connections;
  private final FinalRequestProcessor replier;
  private final LiveHost host;
  private volatile Consumer<ZooKeeperServer> administered = nobody -> {};

  /** Creates a server that has no state yet. */
  public TranslationServer(World world, ZooKeeperOptions options) {
    this.world = world;
    this.options = options;
    setTickTime(options.tickMillis());
    setMinSessionTimeout(options.sessions().minTimeoutMillis());
    setMaxSessionTimeout(options.sessions().maxTimeoutMillis());
    this.connections = new Connections(this, () -> host().machine().readLock());
    this.host = new LiveHost(this, world, connections);
    sessionTracker = new LiveSessionTracker(host, connections, options.sessions().local());
    setZKDatabase(new NamespaceMachine().database()); // until the replica has one
    this.replier = new FinalRequestProcessor(this);
  }

  /** Returns a machine that has this server's connections once it is installed. */
  public NamespaceMachine newMachine() {
    return new NamespaceMachine(host, host::installed, connections::closed);
  }

  LiveHost host() {
    return host;
  }

  Connections connections() {
    return connections;
  }

  /** Connects the server with the replica of the namespace. Called once, before all others. */
  public void open(StateMachineReplica<NamespaceMachine> replica) {
    host.open(replica);
  }

  /** Lets the AdminServer follow each exchange of the server behind the ports. Called once. */
  void administerBy(Consumer<ZooKeeperServer> adminServer) {
    administered = adminServer;
  }

  private void administer(ZooKeeperServer behindPorts) {
    administered.accept(behindPorts);
  }

  /**
   * Returns the heartbeat of this server, which starts it when it has caught up with the log.
   *
   * @param address the host and port of the clients
   */
  public Heartbeat heartbeat(String address) {
    UnusedNodes unused =
        new UnusedNodes(host::machine, options.unusedCheckEvery(), world.nanoTime());
    Duration tick = Duration.ofMillis(options.tickMillis());
    ReadOnlyMode readOnly =
        new ReadOnlyMode(this, host::machine, this::administer, options.readOnlyMode());
    return new Heartbeat(world, host, connections, address, tick, unused, readOnly, this::startup);
  }

  // ----------------------------------------------------------------------- life of the server

  @Override
  protected void setupRequestProcessors() {}

  @Override
  protected void createSessionTracker() {}

  @Override
  protected void startSessionTracker() {}

  @Override
  protected void startRequestThrottler() {}

  /** Registers with JMX, unless there is no port by which to name the server. */
  @Override
  protected void registerJMX() {
    if (getServerCnxnFactory() != null) {
      super.registerJMX();
    }
  }

  @Override
  public long getServerId() {
    return host.number();
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
    return OpenServerConf.of(this, options.namespace());
  }

  /** The log is synced by its log units. */
  @Override
  public long getTxnLogElapsedSyncTime() {
    return NO_SYNC;
  }

  @Override
  public File takeSnapshot(boolean isSynced, boolean isSevere) throws IOException {
    throw new IOException(AdminCommands.NO_SNAPSHOTS);
  }

  @Override
  public long restoreFromSnapshot(InputStream snapshot) throws IOException {
    throw new IOException(AdminCommands.NO_SNAPSHOTS);
  }

  @Override
  public void dumpConf(PrintWriter out) {
    out.println("clientPort=" + getClientPort());
    out.println("secureClientPort=" + getSecureClientPort());
    out.println("namespace=" + options.namespace());
    out.println("tickTime=" + getTickTime());
    out.println("maxClientCnxns=" + getMaxClientCnxnsPerHost());
    out.println("minSessionTimeout=" + getMinSessionTimeout());
    out.println("maxSessionTimeout=" + getMaxSessionTimeout());
    out.println("clientPortListenBacklog=" + getClientPortListenBacklog());
    out.println("serverId=" + getServerId());
  }

  // -------------------------------------------------------------------------------- sessions

  /** Catches up with the log first, if the client has seen more than this server. */
  @Override
  public void processConnectRequest(ServerCnxn connection, ConnectRequest request)
      throws IOException, ClientCnxnLimitException {
    if (request.getLastZxidSeen() <= getLastProcessedZxid()) {
      super.processConnectRequest(connection, request);
      return;
    }
    OpenServerCnxn.disableReceiving(connection);
    var unused =
        host.sync()
            .handle(
                (played, failure) -> {
                  connectCaughtUp(connection, request);
                  return true;
                });
  }

  private void connectCaughtUp(ServerCnxn connection, ConnectRequest request) {
    try {
      super.processConnectRequest(connection, request);
    } catch (ServerCnxn.CloseRequestException refused) {
      connection.close(refused.getReason());
    } catch (IOException | ClientCnxnLimitException | RuntimeException failure) {
      LOG.warn("cannot begin a session for {}", connection.getRemoteSocketAddress(), failure);
      connection.close(DisconnectReason.IO_EXCEPTION_IN_SESSION_INIT);
    }
  }

  /** Continues a session: the log decides whether it still lives. */
  @Override
  protected void revalidateSession(ServerCnxn connection, long session, int timeoutMillis) {
    if (connections.localSession(session) != null) {
      connections.attach(
          session, AttachedSession.local(connection, timeoutMillis, world.nanoTime()));
      finishSessionInit(connection, true);
      return;
    }
    @SuppressWarnings("NullAway") // a request without a body
    Request waiting = new Request(connection, session, 0, OpCode.createSession, null, null);
    Origin origin = host.await(waiting);
    submit(waiting, origin, new AttachSession(origin, session, timeoutMillis));
  }

  // -------------------------------------------------------------------------------- requests

  @Override
  public void submitRequest(Request request) {
    enqueueRequest(request);
  }

  @Override
  public void submitRequestNow(Request request) {
    enqueueRequest(request);
  }

  @Override
  public void enqueueRequest(Request request) {
    if (request.cnxn == null) {
      if (request.type == OpCode.closeSession) {
        host.expire(request.sessionId);
      }
      return;
    }
    incInProcess();
    if (request.type == OpCode.createSession) {
      createSession(request);
      return;
    }
    AttachedSession session = connections.session(request);
    if (session == null || !session.mayServe(world.nanoTime())) {
      RequestEnd.drop(this, request, DisconnectReason.CLIENT_RECONNECT);
      return;
    }
    session.heard(world.nanoTime());
    accept(request, session, connections.queue(request.cnxn));
  }

  private void createSession(Request request) {
    try {
      int timeoutMillis = request.readRequestRecord(CreateSessionTxn::new).getTimeOut();
      if (options.sessions().local()) {
        request.setLocalSession(true);
        connections.attach(
            request.sessionId,
            AttachedSession.local(request.cnxn, timeoutMillis, world.nanoTime()));
        replier.processRequest(request);
        return;
      }
      Origin origin = host.await(request);
      submit(
          request,
          origin,
          new CreateSession(origin, request.sessionId, timeoutMillis, world.wallTimeMillis()));
    } catch (IOException malformed) {
      RequestEnd.drop(this, request, DisconnectReason.IO_EXCEPTION_IN_SESSION_INIT);
    }
  }

  private void accept(Request request, AttachedSession session, ConnectionQueue queue) {
    boolean isAccepted =
        switch (RequestKind.of(request.type)) {
          case CHANGE -> change(request, session, queue);
          case CLOSE -> {
            if (session.isLocal()) {
              request.setLocalSession(true);
              yield queue.addRead(request, () -> replier.processRequest(request));
            }
            yield change(request, session, queue);
          }
          case SYNC -> behindSync(request, queue);
          case READ ->
              options.linearizableReads()
                  ? behindSync(request, queue)
                  : queue.addRead(request, () -> replier.processRequest(request));
          case PING -> queue.addRead(request, () -> replier.processRequest(request));
          case RECONFIG -> {
            request.setException(new KeeperException.ReconfigDisabledException());
            yield queue.addRead(request, () -> replier.processRequest(request));
          }
          case UNKNOWN -> queue.addRead(request, () -> replyUnimplemented(request));
        };
    if (!isAccepted) {
      RequestEnd.finished(this, request);
    }
  }

  private boolean change(Request request, AttachedSession session, ConnectionQueue queue) {
    if (!queue.addWaiting(request, () -> RequestEnd.abandon(this, request))) {
      return false;
    }
    if (session.upgrade()) {
      // Nobody waits for this command. The request behind it is refused if it fails.
      var unused =
          host.submit(
              new CreateSession(
                  host.unawaited(),
                  request.sessionId,
                  session.timeoutMillis(),
                  world.wallTimeMillis()));
    }
    Origin origin = host.await(request);
    byte[] body = request.readRequestBytes();
    submit(
        request,
        origin,
        new ClientRequest(
            origin,
            request.sessionId,
            session.attachment(),
            session.nextSequence(),
            request.cxid,
            request.type,
            world.wallTimeMillis(),
            request.authInfo,
            ByteBuffer.wrap(body == null ? NO_BODY : body)));
    return true;
  }

  private boolean behindSync(Request request, ConnectionQueue queue) {
    if (!queue.addWaiting(request, () -> replier.processRequest(request))) {
      return false;
    }
    var unused =
        host.sync()
            .handle(
                (played, failure) -> {
                  if (failure == null) {
                    queue.ready(request);
                  } else {
                    RequestEnd.abandon(this, request);
                  }
                  return true;
                });
    return true;
  }

  /** Keeps the connection, unlike ZooKeeper: a newer client can do without the operation. */
  private void replyUnimplemented(Request request) {
    RequestEnd.finished(this, request);
    int code = KeeperException.Code.UNIMPLEMENTED.intValue();
    try {
      request.cnxn.sendResponse(new ReplyHeader(request.cxid, NO_ZXID, code), null, "response");
    } catch (IOException lost) {
      request.cnxn.close(DisconnectReason.IO_EXCEPTION);
    }
  }

  private void submit(Request request, Origin origin, NamespaceCommand command) {
    CompletableFuture<byte[]> applied = host.submit(CommandCodec.encode(command));
    var unused =
        applied.handle(
            (reply, failure) -> {
              if (failure != null && host.takeWaiting(origin).isPresent()) {
                LOG.warn(
                    "no outcome for a request of session 0x{}: {}",
                    Long.toHexString(request.sessionId),
                    failure.getMessage());
                RequestEnd.abandon(this, request);
              }
              return true;
            });
  }
}
