package corfu.zookeeper.simulation;

import corfu.sim.application.ApplicationContext;
import corfu.world.World;
import corfu.zookeeper.command.NamespaceCommand.ClientRequest;
import corfu.zookeeper.server.TranslationServer;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.apache.jute.Record;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.proto.ConnectRequest;
import org.apache.zookeeper.proto.ReplyHeader;
import org.jspecify.annotations.Nullable;

/**
 * A client of ZooKeeper. Its connections come and go with the servers and threads that use it, and
 * its session moves with it. It checks each reply and each watch event against the history.
 */
final class SimulatedClient {

  static final int PING_XID = -2;
  static final int SET_WATCHES_XID = -8;

  /** The client's number of a request that an abandoned connection still sends. */
  static final int LATE_XID = Integer.MAX_VALUE;

  /** Requests for changes that one connection sent, in order. */
  private record Sent(long session, List<Integer> xids) {}

  private final ApplicationContext stage;
  private final NamespaceHistory history;
  private final String name;
  private final PlantedBug bug;
  private final ClientWatches watches;
  private final ReplyCheck replies;
  private final Deque<Call> outstanding = new ArrayDeque<>();
  private final List<Sent> sent = new ArrayList<>();
  private Optional<SimulatedConnection> connection = Optional.empty();
  private boolean isConnected;
  private boolean isClosing;
  private long session;
  private byte[] password = new byte[16];
  private int timeoutMillis;
  private int xid;
  private long lastZxid;
  private long lastUsedMillis = Long.MIN_VALUE / 2;

  SimulatedClient(String name, ApplicationContext stage, NamespaceHistory history, PlantedBug bug) {
    this.bug = bug;
    this.name = name;
    this.stage = stage;
    this.history = history;
    this.watches = new ClientWatches(stage, history);
    this.replies = new ReplyCheck(stage, history);
  }

  /**
   * Opens a connection to a server, in place of any other one.
   *
   * @param timeout the timeout of a new session in milliseconds
   */
  SimulatedConnection connect(TranslationServer server, World world, int timeout, int number)
      throws IOException {
    SimulatedConnection opened = new SimulatedConnection(server, world, this, number);
    connection = Optional.of(opened);
    isConnected = false;
    isClosing = false;
    outstanding.clear();
    if (session == 0) {
      timeoutMillis = timeout;
    }
    lastUsedMillis = world.wallTimeMillis();
    opened.connect(
        new ConnectRequest(0, lastZxid, timeoutMillis, session, password.clone(), false));
    return opened;
  }

  /** Whether a thread used this client a moment ago, over a connection that is still open. */
  boolean isInUse(long nowMillis) {
    return nowMillis - lastUsedMillis < 1000
        && connection.map(SimulatedConnection::isOpen).orElse(false);
  }

  boolean isServedBy(SimulatedConnection one) {
    return isConnected && isCurrent(one) && one.isOpen();
  }

  /** Whether this is the client's connection, open or not. */
  boolean isCurrent(SimulatedConnection one) {
    return connection.isPresent() && connection.get() == one;
  }

  int timeoutMillis() {
    return timeoutMillis;
  }

  long session() {
    return session;
  }

  /** Returns the number of requests without a reply. */
  int waiting() {
    return outstanding.size();
  }

  // ---------------------------------------------------------------------------------- requests

  void ping(SimulatedConnection over) {
    over.request(PING_XID, OpCode.ping, null);
    heard(over);
  }

  void send(SimulatedConnection over, int type, @Nullable Record body, boolean isLinearizable) {
    Call call = new Call(++xid, type, body, history.lastAcknowledged(), isLinearizable);
    outstanding.add(call);
    isClosing |= type == OpCode.closeSession;
    if (call.isChange()) {
      sent.getLast().xids().add(call.xid());
    }
    over.request(call.xid(), type, body);
    heard(over);
  }

  private void heard(SimulatedConnection over) {
    lastUsedMillis = over.world().wallTimeMillis();
    if (over.isOpen()) { // otherwise the server has refused the request
      history.heard(session, lastUsedMillis, timeoutMillis);
    }
  }

  // ----------------------------------------------------------------------------------- replies

  void connected(SimulatedConnection from, long told, int timeout, byte[] secret) {
    long id = session == 0 || told == 0 ? told : bug.continued(told);
    if (!isCurrent(from)) {
      return;
    }
    if (id == 0) {
      if (history.end(session).isEmpty()) {
        broken("Sessions", "is told of an end of its session that no server has seen");
      }
      stage.count("session refused");
      reset();
      return;
    }
    if (session != 0 && id != session) {
      broken("Sessions", "gets another session, 0x%x".formatted(id));
    }
    stage.count(session == 0 ? "session begun" : "session moved");
    session = id;
    timeoutMillis = timeout;
    password = secret;
    isConnected = true;
    sent.add(new Sent(session, new ArrayList<>()));
    heard(from);
    watches
        .toRearm(lastZxid)
        .ifPresent(body -> from.request(SET_WATCHES_XID, OpCode.setWatches, body));
  }

  private void reset() {
    session = 0;
    password = new byte[16];
    lastZxid = 0;
    isConnected = false;
    outstanding.clear();
    watches.clear();
  }

  void replied(SimulatedConnection from, ReplyHeader header, @Nullable Record body) {
    ReplyHeader told = bug.header(header);
    checkLease(from, told);
    history.whenKnown(told.getZxid(), () -> reply(from, told, bug.body(body)));
  }

  private void reply(SimulatedConnection from, ReplyHeader header, @Nullable Record body) {
    if (!isCurrent(from) || header.getXid() == LATE_XID) {
      return;
    }
    if (header.getZxid() > 0) {
      if (header.getZxid() < lastZxid) {
        broken("Zxid", "sees zxid %d after %d".formatted(header.getZxid(), lastZxid));
      }
      lastZxid = Math.max(lastZxid, header.getZxid());
      watches.checkNoneMissed(name, lastZxid);
    }
    if (header.getXid() == PING_XID) {
      return;
    }
    if (header.getXid() == SET_WATCHES_XID) {
      watches.rearmed(header.getZxid());
      return;
    }
    Call call = outstanding.poll();
    if (call == null || call.xid() != header.getXid()) {
      broken("Order", "got a reply to %d in place of %s".formatted(header.getXid(), call));
      return;
    }
    stage.count("reply " + Code.get(header.getErr()));
    replies.check(name, session, call, header, body);
    watches.armed(call, header);
    if (isClosing && header.getErr() == 0 && call.type() == OpCode.closeSession) {
      if (history.end(session).isEmpty()) {
        broken("Sessions", "is told that its session has closed, but no server has seen it");
      }
      reset();
    }
  }

  /** Servers that expire a session wait until its server has stopped to serve it. */
  private void checkLease(SimulatedConnection from, ReplyHeader header) {
    if (header.getErr() != 0 || from.isChange(header.getXid())) {
      return; // the outcome of a change may be told later
    }
    history
        .end(from.getSessionId())
        .filter(NamespaceHistory.SessionEnd::isExpiry)
        .ifPresent(
            end -> {
              if (from.world().wallTimeMillis() > end.millis()) {
                broken(
                    "Leases",
                    "is served in session 0x%x %d ms after its expiry"
                        .formatted(
                            from.getSessionId(), from.world().wallTimeMillis() - end.millis()));
              }
            });
  }

  void notified(SimulatedConnection from, WatchedEvent event) {
    history.whenKnown(
        event.getZxid(),
        () -> {
          if (isCurrent(from)) {
            for (int i = 0; i < bug.events(); i++) {
              watches.fired(name, event);
              stage.count("watch event");
            }
          }
        });
  }

  private void broken(String promise, String how) {
    stage.broken(promise, "%s of session 0x%x %s".formatted(name, session, how));
  }

  /** Checks that the changes of each connection were applied in order and without gaps. */
  void checkOrder() {
    for (Sent one : sent) {
      List<Integer> applied =
          history.applied(one.session()).stream()
              .map(ClientRequest::xid)
              .filter(one.xids()::contains)
              .toList();
      if (!one.xids().subList(0, applied.size()).equals(applied)) {
        broken("Order", "sent %s, and %s were applied".formatted(one.xids(), applied));
      }
    }
  }
}
