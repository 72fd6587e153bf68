package corfu.zookeeper.machine;

import corfu.zookeeper.command.NamespaceCommand.Origin;
import java.util.Optional;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.ZooKeeperServer;

/**
 * The surroundings of a {@link NamespaceMachine}. A translation server connects the machine with
 * its clients. The machine calls these methods while it applies a command, one at a time and in the
 * order of the log, so they must not block.
 */
public interface NamespaceHost {

  /** Returns the server that validates requests, and replies to connections. */
  ZooKeeperServer server();

  /**
   * Returns the request of an own connection that waits for a command, once; or empty if another
   * server has submitted the command.
   */
  Optional<Request> takeWaiting(Origin origin);

  /**
   * Replies to an own connection. Replies to its earlier requests first, and then to the reads that
   * have waited behind this request.
   *
   * @param request the request
   * @param reply executes the request and replies
   */
  void reply(Request request, Runnable reply);

  /** A request of an own connection has no reply, so the connection must be closed. */
  void abandoned(Request request);

  /** An own connection now serves this session. Called before the client learns of it. */
  void attached(Request request, long session, SessionState state);

  /**
   * A session was created, was attached to a server, or was vouched for.
   *
   * @param idleMillis the time since the session's server heard from the client
   */
  void sessionRenewed(long session, SessionState state, int idleMillis);

  /** A session has ended. */
  void sessionEnded(long session);

  /** A server has registered. */
  void serverRegistered(int number, ServerState state);

  /** A server has vouched. */
  void serverRenewed(int number, ServerState state);

  /** A server was removed. */
  void serverRemoved(int number, ServerState state);

  /** A vouch came from a server that was removed before. */
  void unknownServer(int number);
}
