package corfu.sim.conformance;

import corfu.node.Bootstrap;
import corfu.node.ClusterConfig;
import corfu.node.EmbeddedCluster;
import corfu.node.Node;
import corfu.node.ServerConfig;
import corfu.node.Supervision;
import corfu.protocol.Endpoint;
import corfu.runtime.CorfuOptions;
import corfu.sim.conformance.StreamConformance.Ground;
import corfu.transport.ClientOptions;
import corfu.transport.Transport;
import corfu.transport.tcp.TcpTransport;
import corfu.world.RealWorld;
import corfu.world.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Real clusters for streams to stand on. */
final class Grounds {

  private static final Duration HOLE_TIMEOUT = Duration.ofMillis(30);
  private static final Supervision WITHOUT_AGENTS = Supervision.DEFAULT.withAgent(false);

  private Grounds() {}

  /** Inside one process. */
  static Ground embedded(EmbeddedCluster.Builder builder) {
    EmbeddedCluster cluster = builder.supervision(WITHOUT_AGENTS).start();
    return new Ground() {
      @Override
      public CorfuOptions options() {
        return cluster.clientOptions().withHoleTimeout(HOLE_TIMEOUT);
      }

      @Override
      public World world() {
        return cluster.world();
      }

      @Override
      public Transport transport() {
        return cluster.transport();
      }

      @Override
      public void close() {
        cluster.close();
      }
    };
  }

  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Over TCP, on disks, at ports that are free. */
  static Ground overTcp(ClusterConfig local) {
    List<ServerConfig> servers = new ArrayList<>();
    for (ServerConfig server : local.servers()) {
      servers.add(
          new ServerConfig(
              server.name(),
              new Endpoint("127.0.0.1", freePort()),
              server.directory(),
              server.roles()));
    }
    ClusterConfig config =
        local.withServers(local.replicas(), servers).withSupervision(WITHOUT_AGENTS);
    List<Node> nodes = servers.stream().map(server -> Node.start(config, server.name())).toList();
    RealWorld world = new RealWorld();
    Transport transport = TcpTransport.open(world, Optional::empty, ClientOptions.DEFAULT);
    Bootstrap.bootstrap(config);
    return new Ground() {
      @Override
      public CorfuOptions options() {
        return CorfuOptions.of(config.endpoints()).withHoleTimeout(HOLE_TIMEOUT);
      }

      @Override
      public World world() {
        return world;
      }

      @Override
      public Transport transport() {
        return transport;
      }

      @Override
      public void close() {
        nodes.forEach(Node::close);
        transport.close();
        world.close();
      }
    };
  }
}
