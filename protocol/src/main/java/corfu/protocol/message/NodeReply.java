package corfu.protocol.message;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.TokenKey;
import java.util.List;
import java.util.Optional;

/** A server's replies about itself. */
public sealed interface NodeReply extends Reply {

  /**
   * The client may use the connection.
   *
   * @param version the schema version to speak on this connection
   * @param cluster the server's cluster, or empty if it belongs to none yet
   * @param server the server's name
   */
  record Welcome(int version, Optional<ClusterId> cluster, String server) implements NodeReply {}

  /**
   * The status of a server.
   *
   * @param epoch the newest epoch that the server knows
   * @param roles the server's roles: sequencer, log-unit, layout-server
   * @param health the state of its roles
   * @param rebuilds the copies that run on it now
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
   * The names of the cluster's servers, as far as the answering server's configuration has them.
   *
   * @param servers the named servers, each once
   */
  record Names(List<Named> servers) implements NodeReply {
    public Names {
      servers = List.copyOf(servers);
    }
  }

  /**
   * The permissions that a server enforces. From version 3 of the schema on.
   *
   * @param version the log address behind the newest change of the permissions that the server has
   *     applied; 0 if there was none
   * @param ageMillis the time since the server has confirmed that there was no newer change, in
   *     milliseconds, or {@link #NEVER}
   * @param isEnforced whether the server enforces permissions
   */
  record Access(long version, long ageMillis, boolean isEnforced) implements NodeReply {

    /** The age if the server has never read the permissions to their end. */
    public static final long NEVER = Long.MAX_VALUE;

    /** The reply of a server that enforces no permissions. */
    public static final Access OPEN = new Access(0, NEVER, false);
  }

  /**
   * The key by which the server seals tokens. From version 3 of the schema on.
   *
   * @param key the key, or empty if the server seals none because it enforces no permissions
   */
  record SealingKey(Optional<TokenKey> key) implements NodeReply {}

  /**
   * The use of resources by identities that have a quota. From version 3 of the schema on.
   *
   * @param uses the identities with a quota that the server knows, each once
   */
  record Quotas(List<QuotaUse> uses) implements NodeReply {
    public Quotas {
      uses = List.copyOf(uses);
    }
  }

  /** A server with its name for people. */
  record Named(Endpoint server, String name) {}

  /**
   * The progress of copying a segment to its target.
   *
   * @param start the segment's first address
   * @param end the address behind the segment
   * @param copiedTo the address below which everything is copied
   * @param bytes the number of bytes copied in this run
   * @param elapsedMillis the duration of this run so far, in milliseconds
   */
  record Rebuild(long start, long end, long copiedTo, long bytes, long elapsedMillis) {}
}
