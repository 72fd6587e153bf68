package corfu.zookeeper;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The ports of a translation server.
 *
 * @param clientAddress the address of the clients' port; port 0 means any free one
 * @param secureAddress the address of a port with TLS, which ZooKeeper's system properties
 *     configure, such as {@code zookeeper.ssl.keyStore.location}
 * @param adminPort the port of ZooKeeper's AdminServer, by HTTP
 * @param advertisedHost the host name that the config node lists; empty means that of the address
 * @param maxConnectionsPerHost the largest number of connections of one address; 0 means no limit
 */
public record ListenOptions(
    InetSocketAddress clientAddress,
    Optional<InetSocketAddress> secureAddress,
    OptionalInt adminPort,
    String advertisedHost,
    int maxConnectionsPerHost) {

  /** ZooKeeper's own defaults, on the loopback address and without the AdminServer. */
  public static final ListenOptions DEFAULT =
      new ListenOptions(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 2181),
          Optional.empty(),
          OptionalInt.empty(),
          "",
          60);

  public ListenOptions {
    if (maxConnectionsPerHost < 0) {
      throw new IllegalArgumentException(
          "the largest number of connections of a host is %d; it must be 0 or more"
              .formatted(maxConnectionsPerHost));
    }
  }
}
