package corfu.zookeeper.server;

import corfu.smr.StateMachineReplica;
import corfu.world.World;
import corfu.zookeeper.command.CommandCodec;
import corfu.zookeeper.command.NamespaceCommand;
import corfu.zookeeper.command.NamespaceCommand.ExpireSession;
import corfu.zookeeper.command.NamespaceCommand.Origin;
import corfu.zookeeper.machine.NamespaceHost;
import corfu.zookeeper.machine.NamespaceMachine;
import corfu.zookeeper.machine.ServerState;
import corfu.zookeeper.machine.SessionState;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.ServerCnxn.DisconnectReason;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.jspecify.annotations.Nullable;

/**
 * Connects the replica of a namespace with a server's connections. Thread-safe; the machine calls
 * the methods of {@link NamespaceHost} one at a time.
 */
final class LiveHost implements NamespaceHost {

  /** A request that waits for its command, and the time at which it came. */
  private record Waiting(Request request, long sinceNanos) {}

  /** A server that has not vouched for so many ticks leaves the config node. */
  static final int SERVER_TICKS = 5;

  private final ZooKeeperServer server;
  private final World world;
  private final Connections connections;
  private final long incarnation;
  private final AtomicLong lastRequest = new AtomicLong();
  private final Map<Long, Waiting> waiting = new ConcurrentHashMap<>();
  private final SessionClocks sessionClocks = new SessionClocks();
  private final SessionClocks serverClocks = new SessionClocks();
  private final CompletableFuture<Void> registered = new CompletableFuture<>();
  private @Nullable StateMachineReplica<NamespaceMachine> replica;
  private volatile @Nullable NamespaceMachine machine;
  private volatile int number;
  private volatile long ownVouch;
  private volatile boolean isRemoved;
  private long attachedSinceNanos; // of the request that is taken now

  LiveHost(ZooKeeperServer server, World world, Connections connections) {
    this.server = server;
    this.world = world;
    this.connections = connections;
    this.incarnation = world.random().nextLong();
  }

  void open(StateMachineReplica<NamespaceMachine> opened) {
    replica = opened;
  }

  StateMachineReplica<NamespaceMachine> replica() {
    if (replica == null) {
      throw new IllegalStateException("the server is not open");
    }
    return replica;
  }

  NamespaceMachine machine() {
    if (machine == null) {
      throw new IllegalStateException("the server has no state yet");
    }
    return machine;
  }

  long incarnation() {
    return incarnation;
  }

  /** Returns the number of this server in the namespace; 0 before it is registered. */
  int number() {
    return number;
  }

  /** Returns the number of this server's last vouch. */
  long ownVouch() {
    return ownVouch;
  }

  /** Whether other servers have removed this one, so that it must register again. */
  boolean isRemoved() {
    return isRemoved;
  }

  /** Returns a future that is done when this server has a number. */
  CompletableFuture<Void> registered() {
    return registered;
  }

  SessionClocks sessionClocks() {
    return sessionClocks;
  }

  SessionClocks serverClocks() {
    return serverClocks;
  }

  // ------------------------------------------------------------------------------ submission

  /** Lets a request wait for the command that has the returned origin. */
  Origin await(Request request) {
    long id = lastRequest.incrementAndGet();
    waiting.put(id, new Waiting(request, world.nanoTime()));
    return new Origin(incarnation, id);
  }

  /** Returns the origin of a command of this server for which no request waits. */
  Origin unawaited() {
    return new Origin(incarnation, 0);
  }

  CompletableFuture<byte[]> submit(ByteBuffer command) {
    return replica().submitAsync(command);
  }

  CompletableFuture<byte[]> submit(NamespaceCommand command) {
    return submit(CommandCodec.encode(command));
  }

  /** Returns a future that is done when everything is applied that is in the log now. */
  CompletableFuture<Void> sync() {
    return replica().syncAsync();
  }

  /** Proposes the end of a session, unless its client is heard from meanwhile. */
  void expire(long session) {
    Optional<SessionState> state =
        replica().readPlayed(now -> Optional.ofNullable(now.sessions().get(session)));
    state.ifPresent(
        present -> {
          long now = world.wallTimeMillis();
          var unused = submit(new ExpireSession(session, present.lastVouch(), now));
        });
  }

  // ------------------------------------------------------------------------- applied commands

  @Override
  public ZooKeeperServer server() {
    return server;
  }

  /** A machine has become the state of the replica, in place of any older one. */
  void installed(NamespaceMachine installed) {
    boolean isFirst = machine == null;
    machine = installed;
    server.setZKDatabase(installed.database());
    server.setZxid(installed.zxid());
    sessionClocks.clear();
    installed.sessions().forEach((id, state) -> sessionRenewed(id, state, 0));
    serverClocks.clear();
    installed.servers().forEach(this::serverRenewed);
    if (!isFirst) {
      connections.closeAll(DisconnectReason.RESET_COMMAND); // their watches were in the old tree
    }
  }

  @Override
  public Optional<Request> takeWaiting(Origin origin) {
    if (origin.incarnation() != incarnation) {
      return Optional.empty();
    }
    Waiting taken = waiting.remove(origin.request());
    if (taken == null) {
      return Optional.empty();
    }
    attachedSinceNanos = taken.sinceNanos();
    return Optional.of(taken.request());
  }

  @Override
  public void reply(Request request, Runnable reply) {
    connections.queue(request.cnxn).applied(request, reply);
  }

  @Override
  public void abandoned(Request request) {
    RequestEnd.abandon(server, request);
  }

  @Override
  public void attached(Request request, long session, SessionState state) {
    connections.attach(
        session,
        new AttachedSession(
            request.cnxn, state.attachment(), state.timeoutMillis(), attachedSinceNanos));
  }

  @Override
  public void sessionRenewed(long session, SessionState state, int idleMillis) {
    boolean isOwn = state.server() == incarnation;
    if (!isOwn) {
      connections.detach(session, DisconnectReason.CLIENT_RECONNECT);
    }
    // The session's own server comes first; the others propose an expiry if it does not.
    int grace = isOwn ? 0 : server.getTickTime();
    Duration timeout = Duration.ofMillis(state.timeoutMillis() + (long) grace);
    sessionClocks.renew(
        session, state.lastVouch(), world.nanoTime(), timeout, Duration.ofMillis(idleMillis));
  }

  @Override
  public void sessionEnded(long session) {
    sessionClocks.remove(session);
    connections.ended(session);
  }

  @Override
  public void serverRegistered(int registeredNumber, ServerState state) {
    serverRenewed(registeredNumber, state);
    if (state.incarnation() == incarnation) {
      number = registeredNumber;
      isRemoved = false;
      registered.complete(null);
    }
  }

  @Override
  public void serverRenewed(int renewed, ServerState state) {
    if (state.incarnation() == incarnation) {
      ownVouch = state.lastVouch();
    }
    Duration timeout = Duration.ofMillis(SERVER_TICKS * (long) server.getTickTime());
    serverClocks.renew(renewed, state.lastVouch(), world.nanoTime(), timeout, Duration.ZERO);
  }

  @Override
  public void serverRemoved(int removed, ServerState state) {
    serverClocks.remove(removed);
    if (state.incarnation() == incarnation) {
      isRemoved = true;
    }
  }

  @Override
  public void unknownServer(int unknown) {}
}
