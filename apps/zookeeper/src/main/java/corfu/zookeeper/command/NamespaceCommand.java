package corfu.zookeeper.command;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.zookeeper.data.Id;

/**
 * A command of a namespace. Translation servers append commands; every server of the namespace
 * applies all of them in the order of the log.
 */
public sealed interface NamespaceCommand {

  /**
   * A server joins the namespace, and gets a number.
   *
   * @param incarnation a random name of this run of the server
   * @param address the host and port of its clients, as the config node lists them
   */
  record RegisterServer(long incarnation, String address) implements NamespaceCommand {}

  /**
   * A server shows that it is there, and vouches for the sessions of its connections.
   *
   * @param server the server's number
   * @param sessions the sessions whose clients it heard from since it vouched last
   */
  record Vouch(int server, List<VouchedSession> sessions) implements NamespaceCommand {}

  /**
   * A session of a {@link Vouch}.
   *
   * @param session the session
   * @param idleMillis the time since the server heard from the client, when it vouched
   */
  record VouchedSession(long session, int idleMillis) {}

  /**
   * A server removes itself or another one, if that one did not vouch again.
   *
   * @param server the server's number
   * @param lastVouch the number of the last vouch that the proposer has applied
   */
  record RemoveServer(int server, long lastVouch) implements NamespaceCommand {}

  /**
   * A client begins a session.
   *
   * @param origin the place where the connection waits for the reply
   * @param session the new session
   * @param timeoutMillis the agreed timeout
   * @param timeMillis the submitting server's wall clock, for stats only
   */
  record CreateSession(Origin origin, long session, int timeoutMillis, long timeMillis)
      implements NamespaceCommand {}

  /**
   * A client continues a session, on this server or from another one.
   *
   * @param origin the place where the connection waits for the reply
   * @param session the session
   * @param timeoutMillis the newly agreed timeout
   */
  record AttachSession(Origin origin, long session, int timeoutMillis)
      implements NamespaceCommand {}

  /**
   * Some server has not seen a vouch for a session within its timeout. The session ends, unless
   * there was a vouch meanwhile.
   *
   * @param session the session
   * @param lastVouch the number of the last vouch for it that the proposer has applied
   * @param timeMillis the proposer's wall clock, for stats only
   */
  record ExpireSession(long session, long lastVouch, long timeMillis) implements NamespaceCommand {}

  /**
   * A container or TTL node is to be deleted, if it has not changed.
   *
   * @param path the node
   * @param modified the zxid of its last change, as the proposer has seen it
   * @param childrenChanged the zxid of its last change of children
   * @param timeMillis the proposer's wall clock, for stats only
   */
  record DeleteUnused(String path, long modified, long childrenChanged, long timeMillis)
      implements NamespaceCommand {}

  /**
   * A client's request that changes the namespace.
   *
   * @param origin the place where the connection waits for the reply
   * @param session the client's session
   * @param attachment the number of the session's attachment to a server
   * @param sequence the number of the request in this attachment, from 1
   * @param xid the client's number of the request
   * @param type the operation code
   * @param timeMillis the submitting server's wall clock, for stats only
   * @param identities the authenticated identities of the connection
   * @param body the encoded request, from position 0 to the limit; empty for a request without a
   *     body
   */
  record ClientRequest(
      Origin origin,
      long session,
      long attachment,
      long sequence,
      int xid,
      int type,
      long timeMillis,
      List<Id> identities,
      ByteBuffer body)
      implements NamespaceCommand {}

  /**
   * The server and the connection that wait for a command's reply.
   *
   * @param incarnation the server's random name
   * @param request the server's number of the waiting request
   */
  record Origin(long incarnation, long request) {}
}
