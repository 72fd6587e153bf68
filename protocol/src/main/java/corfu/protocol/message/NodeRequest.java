package corfu.protocol.message;

import corfu.protocol.ClusterId;
import corfu.protocol.Epoch;
import java.util.Optional;

/** The requests to a server about itself. */
public sealed interface NodeRequest extends Request {

  @Override
  default Epoch epoch() {
    return Epoch.NONE;
  }

  /**
   * The first message on every connection. Answered by {@link NodeReply.Welcome}, {@link
   * Failure.WrongCluster} or {@link Failure.Refused}; after either of these failures the server
   * closes the connection.
   *
   * @param oldestVersion the oldest schema version that the client speaks
   * @param newestVersion the newest schema version that the client speaks
   * @param cluster the cluster that the client expects, or empty for any
   */
  record Hello(int oldestVersion, int newestVersion, Optional<ClusterId> cluster)
      implements NodeRequest {}

  /** Asks for the server's status. Answered by {@link NodeReply.Status}. */
  record AskStatus() implements NodeRequest {}

  /**
   * Asks for the names of the cluster's servers, those included that do not answer. Answered by
   * {@link NodeReply.Names}. A server older than this request refuses it and closes the connection.
   */
  record AskNames() implements NodeRequest {}
}
