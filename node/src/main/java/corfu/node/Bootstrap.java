package corfu.node;

import corfu.protocol.ClusterId;
import corfu.protocol.layout.Layout;
import corfu.runtime.reconfiguration.Reconfiguration;
import corfu.transport.ClientOptions;
import corfu.transport.Transport;
import corfu.transport.tcp.TcpTransport;
import corfu.world.RealWorld;
import corfu.world.World;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/** Makes a cluster out of the servers of a configuration. */
public final class Bootstrap {

  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private Bootstrap() {}

  /**
   * Decides the first layout of a new cluster, whose servers must be running, and starts its
   * sequencer. Where a layout has been decided before, that one stays, and only its sequencer is
   * seen to.
   *
   * @return the cluster's layout
   * @throws corfu.runtime.UnavailableException if servers that are needed did not answer
   */
  public static Layout bootstrap(ClusterConfig config) {
    return bootstrap(config, TIMEOUT);
  }

  /**
   * The same, in a time of one's own.
   *
   * @param timeout how long the servers may take together
   * @throws corfu.runtime.UnavailableException if servers that are needed did not answer; the same
   *     call goes on from wherever this one has got to
   */
  public static Layout bootstrap(ClusterConfig config, Duration timeout) {
    try (RealWorld world = new RealWorld();
        Transport transport =
            TcpTransport.open(
                world, Optional::empty, ClientOptions.DEFAULT.withLimits(config.limits()))) {
      return bootstrap(config, world, transport, timeout);
    }
  }

  static Layout bootstrap(ClusterConfig config, World world, Transport transport) {
    return bootstrap(config, world, transport, TIMEOUT);
  }

  private static Layout bootstrap(
      ClusterConfig config, World world, Transport transport, Duration timeout) {
    ClusterId id = new ClusterId(new UUID(world.random().nextLong(), world.random().nextLong()));
    return new Reconfiguration(world, transport, REQUEST_TIMEOUT, timeout)
        .bootstrap(config.initialLayout(id));
  }
}
