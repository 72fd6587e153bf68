package corfu.zookeeper;

import corfu.smr.SmrOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * The options of a translation server. Each {@code with} method changes one of them.
 *
 * @param namespace the namespace to serve; servers of the same one share all nodes and sessions
 * @param clientAddress the address of the clients' port; port 0 means any free one
 * @param advertisedHost the host name that the config node lists; empty means that of the address
 * @param tickMillis ZooKeeper's unit of time in milliseconds, 10 or more: session timeouts are
 *     between 2 and 20 ticks, and a server vouches for its sessions four times a tick
 * @param minSessionTimeoutMillis the smallest session timeout; -1 means 2 ticks
 * @param maxSessionTimeoutMillis the largest session timeout; -1 means 20 ticks
 * @param maxConnectionsPerHost the largest number of connections of one address; 0 means no limit
 * @param linearizableReads whether each read first asks for the end of the log
 * @param unusedCheckEvery the time between two looks for unused container and TTL nodes
 * @param replica the options of the replica: how it follows the log, and its checkpoints
 */
public record ZooKeeperOptions(
    String namespace,
    InetSocketAddress clientAddress,
    String advertisedHost,
    int tickMillis,
    int minSessionTimeoutMillis,
    int maxSessionTimeoutMillis,
    int maxConnectionsPerHost,
    boolean linearizableReads,
    Duration unusedCheckEvery,
    SmrOptions replica) {

  /** How many commands may wait; connections stop reading long before. */
  private static final int MAX_PENDING = 1 << 17;

  private static final int MAX_COMMANDS_PER_ENTRY = 1024;
  private static final int MAX_ENTRY_BYTES = 1 << 20;

  public static final ZooKeeperOptions DEFAULT =
      new ZooKeeperOptions(
          "default",
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 2181),
          "",
          2000,
          -1,
          -1,
          60,
          false,
          Duration.ofMinutes(1),
          SmrOptions.DEFAULT
              // With one entry in flight, the log keeps the order in which requests were submitted.
              .withBatches(MAX_COMMANDS_PER_ENTRY, MAX_ENTRY_BYTES, 1)
              .withMaxPending(MAX_PENDING)
              .withFollowEvery(Duration.ofMillis(1)));

  public ZooKeeperOptions {
    if (namespace.isEmpty()
        || tickMillis < 10
        || maxConnectionsPerHost < 0
        || unusedCheckEvery.toMillis() < 1) {
      throw new IllegalArgumentException(
          "not the options of a ZooKeeper server: namespace '%s', ticks of %d ms, at most %d"
                  .formatted(namespace, tickMillis, maxConnectionsPerHost)
              + " connections of a host, a look for unused nodes every %d ms"
                  .formatted(unusedCheckEvery.toMillis()));
    }
    if (replica.maxBatchesInFlight() != 1) {
      throw new IllegalArgumentException(
          "a ZooKeeper server may have 1 entry in flight, not %d: more would reorder the requests"
                  .formatted(replica.maxBatchesInFlight())
              + " of a session");
    }
  }

  public ZooKeeperOptions withNamespace(String name) {
    return new ZooKeeperOptions(
        name,
        clientAddress,
        advertisedHost,
        tickMillis,
        minSessionTimeoutMillis,
        maxSessionTimeoutMillis,
        maxConnectionsPerHost,
        linearizableReads,
        unusedCheckEvery,
        replica);
  }

  public ZooKeeperOptions withClientAddress(InetSocketAddress address) {
    return new ZooKeeperOptions(
        namespace,
        address,
        advertisedHost,
        tickMillis,
        minSessionTimeoutMillis,
        maxSessionTimeoutMillis,
        maxConnectionsPerHost,
        linearizableReads,
        unusedCheckEvery,
        replica);
  }

  public ZooKeeperOptions withAdvertisedHost(String host) {
    return new ZooKeeperOptions(
        namespace,
        clientAddress,
        host,
        tickMillis,
        minSessionTimeoutMillis,
        maxSessionTimeoutMillis,
        maxConnectionsPerHost,
        linearizableReads,
        unusedCheckEvery,
        replica);
  }

  /** Sets the length of a tick, and the bounds of session timeouts, where -1 means the default. */
  public ZooKeeperOptions withTimes(int tick, int minSessionTimeout, int maxSessionTimeout) {
    return new ZooKeeperOptions(
        namespace,
        clientAddress,
        advertisedHost,
        tick,
        minSessionTimeout,
        maxSessionTimeout,
        maxConnectionsPerHost,
        linearizableReads,
        unusedCheckEvery,
        replica);
  }

  public ZooKeeperOptions withMaxConnectionsPerHost(int connections) {
    return new ZooKeeperOptions(
        namespace,
        clientAddress,
        advertisedHost,
        tickMillis,
        minSessionTimeoutMillis,
        maxSessionTimeoutMillis,
        connections,
        linearizableReads,
        unusedCheckEvery,
        replica);
  }

  public ZooKeeperOptions withLinearizableReads(boolean linearizable) {
    return new ZooKeeperOptions(
        namespace,
        clientAddress,
        advertisedHost,
        tickMillis,
        minSessionTimeoutMillis,
        maxSessionTimeoutMillis,
        maxConnectionsPerHost,
        linearizable,
        unusedCheckEvery,
        replica);
  }

  public ZooKeeperOptions withUnusedCheckEvery(Duration time) {
    return new ZooKeeperOptions(
        namespace,
        clientAddress,
        advertisedHost,
        tickMillis,
        minSessionTimeoutMillis,
        maxSessionTimeoutMillis,
        maxConnectionsPerHost,
        linearizableReads,
        time,
        replica);
  }

  public ZooKeeperOptions withReplica(SmrOptions options) {
    return new ZooKeeperOptions(
        namespace,
        clientAddress,
        advertisedHost,
        tickMillis,
        minSessionTimeoutMillis,
        maxSessionTimeoutMillis,
        maxConnectionsPerHost,
        linearizableReads,
        unusedCheckEvery,
        options);
  }
}
