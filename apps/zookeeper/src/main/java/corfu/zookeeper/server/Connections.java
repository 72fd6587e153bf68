package corfu.zookeeper.server;

import corfu.zookeeper.command.NamespaceCommand.VouchedSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.ServerCnxn;
import org.apache.zookeeper.server.ServerCnxn.DisconnectReason;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.jspecify.annotations.Nullable;

/** The connections of this server, with the sessions that they serve. Thread-safe. */
final class Connections {

  private final ZooKeeperServer server;
  private final Supplier<Lock> treeLock;
  private final Map<Long, AttachedSession> sessions = new ConcurrentHashMap<>();

  /** Sessions whose connections have closed since their clients were heard from. */
  private final Map<Long, AttachedSession> departed = new ConcurrentHashMap<>();

  private final Map<ServerCnxn, ConnectionQueue> queues = new ConcurrentHashMap<>();

  /** The last session of each connection; at most one, because a connection begins once. */
  private final Map<ServerCnxn, Long> sessionIds = new ConcurrentHashMap<>();

  /**
   * @param treeLock returns the lock for readers of the present tree
   */
  Connections(ZooKeeperServer server, Supplier<Lock> treeLock) {
    this.server = server;
    this.treeLock = treeLock;
  }

  /** Returns the session of a request's connection, or null if it serves none any more. */
  @Nullable AttachedSession session(Request request) {
    AttachedSession session = sessions.get(request.sessionId);
    return session != null && session.connection() == request.cnxn ? session : null;
  }

  /** Returns the requests of a connection that have no reply yet. */
  ConnectionQueue queue(ServerCnxn connection) {
    ConnectionQueue queue = queues.get(connection);
    if (queue == null) {
      queue = queues.computeIfAbsent(connection, one -> new ConnectionQueue(treeLock));
      if (connection.isStale()) {
        closed(connection); // it has closed before it had a queue
      }
    }
    return queue;
  }

  /** A connection serves a session, in place of an older connection. */
  void attach(long session, AttachedSession attached) {
    sessionIds.put(attached.connection(), session);
    AttachedSession before = sessions.put(session, attached);
    departed.remove(session);
    if (attached.connection().isStale()) {
      closed(attached.connection()); // it has closed before it had a session
    }
    if (before != null && before.connection() != attached.connection()) {
      before.connection().close(DisconnectReason.CLIENT_RECONNECT);
    }
  }

  /** This server does not serve the session any more. */
  void detach(long session, DisconnectReason reason) {
    AttachedSession before = sessions.remove(session);
    if (before != null) {
      before.connection().close(reason);
    }
  }

  /** A session has ended. Its last reply may be on its way, so the connection stays open. */
  void ended(long session) {
    sessions.remove(session);
  }

  /** Returns the local session of this id, or null if there is none. */
  @Nullable AttachedSession localSession(long session) {
    AttachedSession local = sessions.get(session);
    return local != null && local.isLocal() ? local : null;
  }

  int localSessions() {
    return (int) sessions.values().stream().filter(AttachedSession::isLocal).count();
  }

  void closed(ServerCnxn connection) {
    ConnectionQueue queue = queues.remove(connection);
    if (queue != null) {
      queue.close().stream()
          .filter(request -> !RequestKind.isInLog(request))
          .forEach(
              request ->
                  RequestEnd.finished(server, request)); // the outcome of a change is still to come
    }
    Long id = sessionIds.remove(connection);
    AttachedSession session = id == null ? null : sessions.get(id);
    // A local session waits for its client here.
    if (id != null && session != null && session.connection() == connection && !session.isLocal()) {
      departed.put(id, session); // the next vouch still tells when the client was heard from
      sessions.remove(id, session);
    }
  }

  /** Closes all connections. Their clients connect again, and arm their watches again. */
  void closeAll(DisconnectReason reason) {
    List<AttachedSession> all = List.copyOf(sessions.values());
    sessions.clear();
    all.forEach(session -> session.connection().close(reason));
  }

  /** Returns the sessions whose clients were heard from since the last vouch. */
  List<VouchedSession> toVouch(long nowNanos) {
    List<VouchedSession> vouches = new ArrayList<>();
    sessions.forEach((id, session) -> session.toVouch(id, nowNanos).ifPresent(vouches::add));
    departed.forEach((id, session) -> session.toVouch(id, nowNanos).ifPresent(vouches::add));
    return vouches;
  }

  /** This server's vouch for these sessions is in the log. */
  void vouched(List<VouchedSession> vouches, long beganNanos) {
    sessions.values().forEach(session -> session.inContact(beganNanos));
    for (VouchedSession vouch : vouches) {
      AttachedSession gone = departed.get(vouch.session());
      if (gone != null) {
        gone.vouched(vouch, beganNanos);
      }
      AttachedSession session = sessions.get(vouch.session());
      if (session != null) {
        session.vouched(vouch, beganNanos);
      }
    }
    departed.forEach(
        (id, session) -> {
          if (session.toVouch(id, beganNanos).isEmpty()) {
            departed.remove(id, session);
          }
        });
  }

  /** Closes the connections of sessions that others may have expired. */
  void closeOverdue(long nowNanos) {
    sessions.forEach(
        (id, session) -> {
          if (!session.mayServe(nowNanos)) {
            detach(id, DisconnectReason.SERVER_SHUTDOWN);
          }
        });
  }
}
