package corfu.protocol.message;

import corfu.protocol.AddressSet;
import corfu.protocol.ClusterId;
import corfu.protocol.Epoch;
import corfu.protocol.StreamId;
import java.nio.charset.StandardCharsets;
import java.util.List;
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

  /**
   * Tells the names of streams that the client uses. The server cannot find a name by its id, but
   * it needs the names for permissions by prefix. It keeps the names that such a permission needs
   * for a while. Answered by {@link Reply.Done}. From version 3 of the schema on.
   *
   * @param names up to {@link #MOST_NAMES} names of 1 to {@link #MOST_NAME_BYTES} bytes of UTF-8
   */
  record Introduce(List<String> names) implements NodeRequest {

    /** The largest number of names in one request. */
    public static final int MOST_NAMES = 1_024;

    /** The largest size of a name in bytes of UTF-8. */
    public static final int MOST_NAME_BYTES = 512;

    public Introduce {
      names = List.copyOf(names);
      if (names.size() > MOST_NAMES) {
        throw new IllegalArgumentException(
            names.size() + " names of streams, where " + MOST_NAMES + " are the limit");
      }
      for (String name : names) {
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes < 1 || bytes > MOST_NAME_BYTES) {
          throw new IllegalArgumentException(
              "the name of a stream with "
                  + bytes
                  + " bytes; it has 1 to "
                  + MOST_NAME_BYTES
                  + " if permissions depend on it");
        }
      }
    }
  }

  /**
   * Asks the server to complete the entries at these addresses, or to fill the holes there, because
   * the client may not do so itself. The server looks at the chains with a client of its own.
   * Answered by {@link Reply.Done} once the addresses are decided, or by {@link Failure.NotServing}
   * by a server that does not do so. From version 3 of the schema on.
   */
  record Settle(AddressSet addresses) implements NodeRequest {}

  /**
   * Asks the server to find the ends of these streams and to tell the sequencer, because the client
   * may not do so itself. Answered by {@link Reply.Done}, or by {@link Failure.NotServing} by a
   * server that does not do so. From version 3 of the schema on.
   */
  record SettleStreams(List<StreamId> streams) implements NodeRequest {
    public SettleStreams {
      streams = List.copyOf(streams);
    }
  }

  /**
   * Asks which version of the permissions the server enforces. Answered by {@link
   * NodeReply.Access}. From version 3 of the schema on.
   */
  record AskAccess() implements NodeRequest {}

  /**
   * Asks for the key by which the server seals tokens. For servers of the cluster only. Answered by
   * {@link NodeReply.SealingKey}. From version 3 of the schema on.
   */
  record AskTokenKey() implements NodeRequest {}

  /**
   * Asks how much of their quotas the identities use at this server. Answered by {@link
   * NodeReply.Quotas}. From version 3 of the schema on.
   */
  record AskQuotas() implements NodeRequest {}
}
