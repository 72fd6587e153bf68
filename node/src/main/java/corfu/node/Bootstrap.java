package corfu.node;

import corfu.protocol.ClusterId;
import corfu.protocol.layout.Layout;
import corfu.runtime.reconfiguration.Reconfiguration;
import corfu.transport.ClientOptions;
import corfu.transport.Transport;
import corfu.transport.tcp.TcpTransport;
import corfu.transport.tls.TlsCredentials;
import corfu.transport.tls.TlsOptions;
import corfu.world.RealWorld;
import corfu.world.World;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/** Bootstraps a cluster from the servers of a configuration. */
public final class Bootstrap {

  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private Bootstrap() {}

  /**
   * Decides the first layout of a new cluster, whose servers must be running, and starts its
   * sequencer. If a layout was decided before, it stays, and only its sequencer is started if
   * necessary.
   *
   * @return the cluster's layout
   * @throws corfu.runtime.UnavailableException if required servers did not answer
   */
  public static Layout bootstrap(ClusterConfig config) {
    return bootstrap(config, TIMEOUT);
  }

  /**
   * Bootstraps the cluster within a time limit, with the certificate that the configuration has for
   * commands.
   *
   * @param config the cluster's configuration
   * @param timeout the time limit for all servers together
   * @return the cluster's layout
   * @throws corfu.runtime.UnavailableException if required servers did not answer; a repeated call
   *     continues from there
   */
  public static Layout bootstrap(ClusterConfig config, Duration timeout) {
    return bootstrap(config, config.security().ofCommands(), timeout);
  }

  /**
   * Bootstraps the cluster within a time limit, with the caller's TLS.
   *
   * @param config the cluster's configuration
   * @param tls the encryption of the connections, and the caller's certificate
   * @param timeout the time limit for all servers together
   * @return the cluster's layout
   * @throws corfu.runtime.UnavailableException if required servers did not answer; a repeated call
   *     continues from there
   * @throws corfu.transport.tls.TlsException if the files of TLS are missing or wrong
   */
  public static Layout bootstrap(ClusterConfig config, TlsOptions tls, Duration timeout) {
    try (RealWorld world = new RealWorld();
        TlsCredentials credentials = TlsCredentials.open(world, tls);
        Transport transport =
            TcpTransport.open(
                world,
                Optional::empty,
                ClientOptions.DEFAULT.withLimits(config.limits()),
                credentials)) {
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
