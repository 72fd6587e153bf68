package corfu.zookeeper.machine;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.smr.Command;
import corfu.smr.StateMachine;
import corfu.zookeeper.command.CommandCodec;
import corfu.zookeeper.command.NamespaceCommand;
import corfu.zookeeper.command.NamespaceCommand.AttachSession;
import corfu.zookeeper.command.NamespaceCommand.ClientRequest;
import corfu.zookeeper.command.NamespaceCommand.CreateSession;
import corfu.zookeeper.command.NamespaceCommand.DeleteUnused;
import corfu.zookeeper.command.NamespaceCommand.ExpireSession;
import corfu.zookeeper.command.NamespaceCommand.RegisterServer;
import corfu.zookeeper.command.NamespaceCommand.RemoveServer;
import corfu.zookeeper.command.NamespaceCommand.Vouch;
import corfu.zookeeper.command.NamespaceCommand.VouchedSession;
import java.io.DataInput;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import org.apache.jute.BinaryInputArchive;
import org.apache.zookeeper.DeleteContainerRequest;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.DataNode;
import org.apache.zookeeper.server.FinalRequestProcessor;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.RequestRecord;
import org.apache.zookeeper.server.ServerCnxn;
import org.apache.zookeeper.server.ZKDatabase;
import org.apache.zookeeper.txn.CreateSessionTxn;
import org.apache.zookeeper.txn.ErrorTxn;
import org.apache.zookeeper.txn.TxnHeader;
import org.jspecify.annotations.Nullable;

/**
 * The state machine of a namespace (dissertation, section 6.1.2). A command's place in the log
 * decides about everything: the order of requests, whether a session lives, which server it is
 * attached to. So all servers have the same tree after the same commands. The number of an applied
 * change is its zxid.
 *
 * <p>A session's requests are applied in the order in which its client sent them, or not at all:
 * each has a number in the session's present attachment, and one that follows a gap is refused.
 *
 * <p>The replica calls one method at a time. Reads by other threads hold the {@link #readLock}.
 */
public class NamespaceMachine implements StateMachine {

  private static final int CHECKPOINT_VERSION = 1;
  private static final byte[] NO_REPLY = {};

  static {
    NamespaceProperties.set();
  }

  private final Optional<NamespaceHost> futureHost;
  private final Consumer<NamespaceMachine> whenInstalled;
  private final NamespaceDatabase database;
  private final SessionRegistry registry = new Registry();
  private NamespaceHost host;
  private RequestApplier applier;
  private FinalRequestProcessor replier;
  private final Map<Long, SessionState> sessions = new HashMap<>();
  private final Map<Integer, ServerState> servers = new TreeMap<>();
  private int lastServer;
  private long lastTimeMillis;

  /** Creates an empty namespace without connections: for the past, for imports and exports. */
  public NamespaceMachine() {
    this(Optional.empty(), machine -> {}, closed -> {});
  }

  /**
   * Creates an empty namespace.
   *
   * @param host the host that has its connections once the machine is {@link #installed}
   * @param whenInstalled receives the machine when it has become the state of the replica
   * @param closedConnections receives connections that have closed
   */
  public NamespaceMachine(
      NamespaceHost host,
      Consumer<NamespaceMachine> whenInstalled,
      Consumer<ServerCnxn> closedConnections) {
    this(Optional.of(host), whenInstalled, closedConnections);
  }

  private NamespaceMachine(
      Optional<NamespaceHost> host,
      Consumer<NamespaceMachine> whenInstalled,
      Consumer<ServerCnxn> closed) {
    this.futureHost = host;
    this.whenInstalled = whenInstalled;
    this.database = new NamespaceDatabase(closed);
    this.host = new DetachedHost(database, registry);
    this.applier = new RequestApplier(this.host.server());
    this.replier = new FinalRequestProcessor(this.host.server());
  }

  /** Returns ZooKeeper's view of this state. */
  public ZKDatabase database() {
    return database;
  }

  /** Returns the lock that keeps readers of the tree and changes apart. */
  public Lock readLock() {
    return database.tree().lock().readLock();
  }

  /** Returns the number of the last applied change. */
  public long zxid() {
    return database.getDataTreeLastProcessedZxid();
  }

  /** Returns a number that is equal for equal trees, if ZooKeeper's digest is enabled. */
  public long digest() {
    return database.getDataTree().getTreeDigest();
  }

  /** Returns the sessions for ZooKeeper's classes. */
  public SessionRegistry sessionRegistry() {
    return registry;
  }

  /** The sessions as ZooKeeper's processors see them. */
  private final class Registry implements SessionRegistry {
    @Override
    public boolean isSession(long session) {
      return database.getSessionWithTimeOuts().containsKey(session);
    }

    @Override
    public Map<Long, Integer> sessionTimeouts() {
      return database.getSessionWithTimeOuts();
    }
  }

  /** Returns copies of all sessions, by their ids. The replica's lock must be held. */
  public Map<Long, SessionState> sessions() {
    Map<Long, SessionState> copies = new TreeMap<>();
    sessions.forEach((id, state) -> copies.put(id, state.copy()));
    return copies;
  }

  /** Returns the servers by their numbers. The replica's lock must be held. */
  public Map<Integer, ServerState> servers() {
    return new TreeMap<>(servers);
  }

  // -------------------------------------------------------------------------------- commands

  @Override
  public void installed() {
    futureHost.ifPresent(
        live -> {
          host = live;
          applier = new RequestApplier(live.server());
          replier = new FinalRequestProcessor(live.server());
          whenInstalled.accept(this);
        });
  }

  @Override
  public byte[] apply(Command command) {
    NamespaceCommand decoded = CommandCodec.decode(command.body());
    Lock lock = database.tree().lock().writeLock();
    lock.lock();
    try {
      host.server().setZxid(zxid());
      apply(decoded);
    } finally {
      lock.unlock();
    }
    return NO_REPLY;
  }

  private void apply(NamespaceCommand command) {
    switch (command) {
      case ClientRequest request -> request(request);
      case Vouch vouch -> vouch(vouch);
      case CreateSession create -> createSession(create);
      case AttachSession attach -> attachSession(attach);
      case ExpireSession expire -> expireSession(expire);
      case DeleteUnused unused -> deleteUnused(unused);
      case RegisterServer register -> registerServer(register);
      case RemoveServer remove -> removeServer(remove);
    }
  }

  private void request(ClientRequest command) {
    Optional<Request> own = host.takeWaiting(command.origin());
    Request request = own.orElseGet(() -> requestOf(command));
    SessionState session = sessions.get(command.session());
    if (session == null) {
      own.ifPresent(one -> refuse(one, new KeeperException.SessionExpiredException()));
    } else if (session.attachment() != command.attachment()) {
      own.ifPresent(one -> refuse(one, new KeeperException.SessionMovedException()));
    } else if (!session.accept(command.sequence())) {
      own.ifPresent(host::abandoned);
    } else {
      execute(own, request, command.timeMillis());
    }
  }

  private static Request requestOf(ClientRequest command) {
    RequestRecord body = RequestRecord.fromBytes(command.body());
    return connectionless(
        command.session(), command.xid(), command.type(), body, command.identities());
  }

  @SuppressWarnings("NullAway") // a request without a connection, as ZooKeeper's leader has them
  private static Request connectionless(
      long session, int xid, int type, @Nullable RequestRecord body, List<Id> identities) {
    return new Request(null, session, xid, type, body, identities);
  }

  private void execute(Optional<Request> own, Request request, long timeMillis) {
    lastTimeMillis = timeMillis;
    if (own.isPresent()) {
      host.reply(request, () -> applier.apply(request, timeMillis));
    } else {
      applier.apply(request, timeMillis);
    }
    if (request.type == OpCode.closeSession) {
      end(request.sessionId);
    }
  }

  private void end(long session) {
    if (sessions.remove(session) != null) {
      database.getSessionWithTimeOuts().remove(session);
      host.sessionEnded(session);
    }
  }

  /** Replies with an error. Does not change the tree. */
  private void refuse(Request request, KeeperException why) {
    request.setException(why);
    request.setHdr(
        new TxnHeader(request.sessionId, request.cxid, zxid(), lastTimeMillis, OpCode.error));
    request.setTxn(new ErrorTxn(why.code().intValue()));
    host.reply(request, () -> replier.processRequest(request));
  }

  // -------------------------------------------------------------------------------- sessions

  private void createSession(CreateSession command) {
    Optional<Request> own = host.takeWaiting(command.origin());
    if (sessions.containsKey(command.session())) {
      own.ifPresent(host::abandoned);
      return;
    }
    SessionState state = new SessionState(command.timeoutMillis());
    sessions.put(command.session(), state);
    begin(command.session(), state, command.origin().incarnation(), command.timeoutMillis());
    own.ifPresent(request -> host.attached(request, command.session(), state));
    RequestRecord body = RequestRecord.fromRecord(new CreateSessionTxn(command.timeoutMillis()));
    Request request =
        own.orElseGet(
            () -> connectionless(command.session(), 0, OpCode.createSession, body, List.of()));
    execute(own, request, command.timeMillis());
  }

  private void attachSession(AttachSession command) {
    Optional<Request> own = host.takeWaiting(command.origin());
    SessionState state = sessions.get(command.session());
    if (state == null) {
      own.ifPresent(request -> host.server().finishSessionInit(request.cnxn, false));
      return;
    }
    begin(command.session(), state, command.origin().incarnation(), command.timeoutMillis());
    own.ifPresent(
        request -> {
          host.attached(request, command.session(), state);
          host.server().finishSessionInit(request.cnxn, true);
        });
  }

  private void begin(long session, SessionState state, long incarnation, int timeoutMillis) {
    state.attach(incarnation, timeoutMillis);
    database.getSessionWithTimeOuts().put(session, timeoutMillis);
    host.sessionRenewed(session, state, 0);
  }

  private void vouch(Vouch command) {
    ServerState server = servers.get(command.server());
    if (server == null) {
      host.unknownServer(command.server());
      return;
    }
    ServerState vouched = server.vouched();
    servers.put(command.server(), vouched);
    host.serverRenewed(command.server(), vouched);
    for (VouchedSession one : command.sessions()) {
      SessionState state = sessions.get(one.session());
      if (state != null && state.server() == server.incarnation()) {
        state.vouched();
        host.sessionRenewed(one.session(), state, one.idleMillis());
      }
    }
  }

  private void expireSession(ExpireSession command) {
    SessionState state = sessions.get(command.session());
    if (state != null && state.lastVouch() == command.lastVouch()) {
      Request close = connectionless(command.session(), 0, OpCode.closeSession, null, List.of());
      execute(Optional.empty(), close, command.timeMillis());
    }
  }

  // ----------------------------------------------------------------------------- unused nodes

  private void deleteUnused(DeleteUnused command) {
    DataNode node = database.getNode(command.path());
    if (node != null
        && node.stat.getMzxid() == command.modified()
        && node.stat.getPzxid() == command.childrenChanged()) {
      lastTimeMillis = command.timeMillis();
      RequestRecord body = RequestRecord.fromRecord(new DeleteContainerRequest(command.path()));
      Request delete = connectionless(0, 0, OpCode.deleteContainer, body, List.of());
      applier.apply(delete, command.timeMillis());
    }
  }

  // --------------------------------------------------------------------------------- servers

  private void registerServer(RegisterServer command) {
    boolean isThere =
        servers.values().stream().anyMatch(one -> one.incarnation() == command.incarnation());
    if (!isThere) {
      int number = ++lastServer;
      ServerState state = new ServerState(command.incarnation(), command.address(), 0);
      servers.put(number, state);
      writeConfigNode();
      host.serverRegistered(number, state);
    }
  }

  private void removeServer(RemoveServer command) {
    ServerState state = servers.get(command.server());
    if (state != null && state.lastVouch() == command.lastVouch()) {
      servers.remove(command.server());
      writeConfigNode();
      host.serverRemoved(command.server(), state);
    }
  }

  /** Lists the servers in the config node, in ZooKeeper's format. This is a change of the tree. */
  private void writeConfigNode() {
    long zxid = zxid() + 1;
    StringBuilder text = new StringBuilder();
    servers.forEach(
        (number, state) ->
            text.append(
                "server.%d=%s:participant;%s\n"
                    .formatted(number, quorumAddress(state.address()), state.address())));
    text.append("version=").append(Long.toHexString(zxid));
    try {
      byte[] data = text.toString().getBytes(UTF_8);
      database.getDataTree().setData(ZooDefs.CONFIG_NODE, data, -1, zxid, lastTimeMillis);
    } catch (NoNodeException impossible) {
      throw new IllegalStateException("the config node is missing", impossible);
    }
    database.getDataTree().lastProcessedZxid = zxid;
  }

  /** There is no quorum; the format wants two different ports of it. */
  private static String quorumAddress(String clientAddress) {
    return clientAddress + (clientAddress.endsWith(":1") ? ":2" : ":1");
  }

  /**
   * Gives an empty machine the state of another system.
   *
   * @throws IOException if the source cannot read that state; the machine must not be used then
   */
  public void fill(NamespaceSource source) throws IOException {
    Lock lock = database.tree().lock().writeLock();
    lock.lock();
    try {
      Map<Long, Integer> timeouts = database.getSessionWithTimeOuts();
      lastTimeMillis = source.fill(database.getDataTree(), timeouts);
      timeouts.forEach((id, timeout) -> sessions.put(id, new SessionState(timeout)));
      if (database.getNode(ZooDefs.CONFIG_NODE) == null) {
        database.getDataTree().addConfigNode(); // snapshots before 3.5 have none
      }
    } finally {
      lock.unlock();
    }
  }

  // ------------------------------------------------------------------------------ checkpoints

  @Override
  public Saved save() {
    long zxid = zxid();
    long time = lastTimeMillis;
    int server = lastServer;
    Map<Integer, ServerState> serversNow = servers();
    Map<Long, SessionState> sessionsNow = sessions();
    TreeSnapshot tree = database.tree().snapshot();
    return out -> {
      out.writeInt(CHECKPOINT_VERSION);
      out.writeLong(zxid);
      out.writeLong(time);
      out.writeInt(server);
      out.writeInt(serversNow.size());
      for (Map.Entry<Integer, ServerState> one : serversNow.entrySet()) {
        out.writeInt(one.getKey());
        out.writeLong(one.getValue().incarnation());
        out.writeUTF(one.getValue().address());
        out.writeLong(one.getValue().lastVouch());
      }
      out.writeInt(sessionsNow.size());
      for (Map.Entry<Long, SessionState> one : sessionsNow.entrySet()) {
        out.writeLong(one.getKey());
        one.getValue().write(out);
      }
      tree.writeTo(out);
    };
  }

  @Override
  public void load(DataInput in) throws IOException {
    int version = in.readInt();
    if (version != CHECKPOINT_VERSION) {
      throw new IOException(
          "the checkpoint has version %d; this server reads version %d"
              .formatted(version, CHECKPOINT_VERSION));
    }
    long zxid = in.readLong();
    lastTimeMillis = in.readLong();
    lastServer = in.readInt();
    for (int i = in.readInt(); i > 0; i--) {
      servers.put(in.readInt(), new ServerState(in.readLong(), in.readUTF(), in.readLong()));
    }
    for (int i = in.readInt(); i > 0; i--) {
      long session = in.readLong();
      SessionState state = SessionState.read(in);
      sessions.put(session, state);
      database.getSessionWithTimeOuts().put(session, state.timeoutMillis());
    }
    database.getDataTree().deserialize(new BinaryInputArchive(in), "tree");
    database.getDataTree().lastProcessedZxid = zxid;
  }
}
