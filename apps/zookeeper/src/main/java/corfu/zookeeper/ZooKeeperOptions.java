package corfu.zookeeper;

import corfu.smr.SmrOptions;
import corfu.zookeeper.machine.NamespaceProperties;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * The options of a translation server. Each {@code with} method changes one of them.
 *
 * @param namespace the namespace to serve; servers of the same one share all nodes and sessions
 * @param listen the ports
 * @param sessions how sessions are treated
 * @param linearizableReads whether each read first asks for the end of the log
 * @param readOnlyMode whether clients that allow it may read while the log is out of reach
 * @param unusedCheckEvery the time between two looks for unused container and TTL nodes
 * @param replica the options of the replica: how it follows the log, and its checkpoints
 */
public record ZooKeeperOptions(
    String namespace,
    ListenOptions listen,
    SessionOptions sessions,
    boolean linearizableReads,
    boolean readOnlyMode,
    Duration unusedCheckEvery,
    SmrOptions replica) {

  /** How many commands may wait; connections stop reading long before. */
  private static final int MAX_PENDING = 1 << 17;

  private static final int MAX_COMMANDS_PER_ENTRY = 1024;
  private static final int MAX_ENTRY_BYTES = 1 << 20;

  /** A replica that lags behind one checkpoint still finds its commands behind the other. */
  private static final int CHECKPOINTS_KEPT = 2;

  static {
    NamespaceProperties.set(); // before any class that is a ZooKeeperServer
  }

  public static final ZooKeeperOptions DEFAULT =
      new ZooKeeperOptions(
          "default",
          ListenOptions.DEFAULT,
          SessionOptions.DEFAULT,
          false,
          false,
          Duration.ofMinutes(1),
          SmrOptions.DEFAULT
              // With one entry in flight, the log keeps the order in which requests were submitted.
              .withBatches(MAX_COMMANDS_PER_ENTRY, MAX_ENTRY_BYTES, 1)
              .withMaxPending(MAX_PENDING)
              .withFollowEvery(Duration.ofMillis(1))
              .withKeepCheckpoints(CHECKPOINTS_KEPT));

  public ZooKeeperOptions {
    if (namespace.isEmpty() || unusedCheckEvery.toMillis() < 1) {
      throw new IllegalArgumentException(
          "not the options of a ZooKeeper server: namespace '%s', a look for unused nodes every"
                  .formatted(namespace)
              + " %d ms".formatted(unusedCheckEvery.toMillis()));
    }
    if (replica.maxBatchesInFlight() != 1) {
      throw new IllegalArgumentException(
          "a ZooKeeper server may have 1 entry in flight, not %d: more would reorder the requests"
                  .formatted(replica.maxBatchesInFlight())
              + " of a session");
    }
  }

  /** Returns the length of a tick in milliseconds. */
  public int tickMillis() {
    return sessions.tickMillis();
  }

  public ZooKeeperOptions withNamespace(String name) {
    return new ZooKeeperOptions(
        name, listen, sessions, linearizableReads, readOnlyMode, unusedCheckEvery, replica);
  }

  public ZooKeeperOptions withListen(ListenOptions ports) {
    return new ZooKeeperOptions(
        namespace, ports, sessions, linearizableReads, readOnlyMode, unusedCheckEvery, replica);
  }

  public ZooKeeperOptions withClientAddress(InetSocketAddress address) {
    return withListen(
        new ListenOptions(
            address,
            listen.secureAddress(),
            listen.adminPort(),
            listen.advertisedHost(),
            listen.maxConnectionsPerHost()));
  }

  public ZooKeeperOptions withAdvertisedHost(String host) {
    return withListen(
        new ListenOptions(
            listen.clientAddress(),
            listen.secureAddress(),
            listen.adminPort(),
            host,
            listen.maxConnectionsPerHost()));
  }

  /** Sets the port of the AdminServer. */
  public ZooKeeperOptions withAdminPort(int port) {
    return withListen(
        new ListenOptions(
            listen.clientAddress(),
            listen.secureAddress(),
            OptionalInt.of(port),
            listen.advertisedHost(),
            listen.maxConnectionsPerHost()));
  }

  public ZooKeeperOptions withMaxConnectionsPerHost(int connections) {
    return withListen(
        new ListenOptions(
            listen.clientAddress(),
            listen.secureAddress(),
            listen.adminPort(),
            listen.advertisedHost(),
            connections));
  }

  public ZooKeeperOptions withSessions(SessionOptions how) {
    return new ZooKeeperOptions(
        namespace, listen, how, linearizableReads, readOnlyMode, unusedCheckEvery, replica);
  }

  /** Sets the length of a tick, and the bounds of session timeouts, where -1 means the default. */
  public ZooKeeperOptions withTimes(int tick, int minSessionTimeout, int maxSessionTimeout) {
    return withSessions(
        new SessionOptions(tick, minSessionTimeout, maxSessionTimeout, sessions.local()));
  }

  /** Sets whether sessions begin as local ones. */
  public ZooKeeperOptions withLocalSessions(boolean local) {
    return withSessions(
        new SessionOptions(
            sessions.tickMillis(),
            sessions.minTimeoutMillis(),
            sessions.maxTimeoutMillis(),
            local));
  }

  public ZooKeeperOptions withLinearizableReads(boolean linearizable) {
    return new ZooKeeperOptions(
        namespace, listen, sessions, linearizable, readOnlyMode, unusedCheckEvery, replica);
  }

  public ZooKeeperOptions withReadOnlyMode(boolean readOnly) {
    return new ZooKeeperOptions(
        namespace, listen, sessions, linearizableReads, readOnly, unusedCheckEvery, replica);
  }

  public ZooKeeperOptions withUnusedCheckEvery(Duration time) {
    return new ZooKeeperOptions(
        namespace, listen, sessions, linearizableReads, readOnlyMode, time, replica);
  }

  public ZooKeeperOptions withReplica(SmrOptions options) {
    return new ZooKeeperOptions(
        namespace, listen, sessions, linearizableReads, readOnlyMode, unusedCheckEvery, options);
  }
}
