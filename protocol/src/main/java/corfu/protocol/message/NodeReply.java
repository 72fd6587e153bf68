package corfu.protocol.message;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import java.util.List;
import java.util.Optional;

/** What a server may say about itself. */
public sealed interface NodeReply extends Reply {

  /**
   * The connection may be used.
   *
   * @param version the version of the schema to speak on this connection
   * @param cluster the server's cluster, once it belongs to one
   * @param server the server's name
   */
  record Welcome(int version, Optional<ClusterId> cluster, String server) implements NodeReply {}

  /**
   * How a server is.
   *
   * @param epoch the newest epoch that the server knows
   * @param roles what it does: sequencer, log-unit, layout-server
   * @param health how its roles are
   * @param rebuilds what it copies just now
   */
  record Status(
      String server,
      Optional<ClusterId> cluster,
      Epoch epoch,
      List<String> roles,
      Health health,
      List<Rebuild> rebuilds)
      implements NodeReply {}

  /**
   * What the servers of the cluster are called, as far as the answering server's configuration
   * says.
   *
   * @param servers each once
   */
  record Names(List<Named> servers) implements NodeReply {
    public Names {
      servers = List.copyOf(servers);
    }
  }

  /** A server, and what people call it. */
  record Named(Endpoint server, String name) {}

  /**
   * How far the copying of a segment to its target has got.
   *
   * @param start the segment's first address
   * @param end the address behind the segment
   * @param copiedTo everything below is copied
   * @param bytes what has been copied, in this run
   * @param elapsedMillis for how long this run has lasted
   */
  record Rebuild(long start, long end, long copiedTo, long bytes, long elapsedMillis) {}
}
