package corfu.protocol.message;

import corfu.protocol.ClusterId;
import corfu.protocol.Epoch;
import java.util.Optional;

/** What a server may be asked about itself. */
public sealed interface NodeRequest extends Request {

  @Override
  default Epoch epoch() {
    return Epoch.NONE;
  }

  /**
   * The first message on every connection. Answered by {@link NodeReply.Welcome}, {@link
   * Failure.WrongCluster} or {@link Failure.Refused}; after either of these the server closes the
   * connection.
   *
   * @param oldestVersion the oldest version of the schema that the client speaks
   * @param newestVersion the newest one
   * @param cluster the cluster that the client means; empty for any
   */
  record Hello(int oldestVersion, int newestVersion, Optional<ClusterId> cluster)
      implements NodeRequest {}

  /** How are you? Answered by {@link NodeReply.Status}. */
  record AskStatus() implements NodeRequest {}

  /**
   * What are the servers of your cluster called, those included that do not answer? Answered by
   * {@link NodeReply.Names}. A server that is older than the question refuses it, and closes the
   * connection.
   */
  record AskNames() implements NodeRequest {}
}
