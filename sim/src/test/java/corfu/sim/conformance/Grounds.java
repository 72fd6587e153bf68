package corfu.sim.conformance;

import corfu.node.Bootstrap;
import corfu.node.ClusterConfig;
import corfu.node.EmbeddedCluster;
import corfu.node.Node;
import corfu.node.Supervision;
import corfu.node.local.FreePorts;
import corfu.runtime.CorfuOptions;
import corfu.sim.conformance.StreamConformance.Ground;
import corfu.transport.ClientOptions;
import corfu.transport.Transport;
import corfu.transport.tcp.TcpTransport;
import corfu.world.RealWorld;
import corfu.world.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** Real clusters that the conformance tests run on. */
final class Grounds {

  /** Short, because the tests know that nobody is going to write at these addresses. */
  private static final Duration HOLE_TIMEOUT = Duration.ofMillis(30);

  /** Disks of busy machines are slow; a call that takes this long hangs. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final Supervision WITHOUT_AGENTS = Supervision.DEFAULT.withAgent(false);

  private Grounds() {}

  /** Starts a cluster inside this process. */
  static Ground embedded(EmbeddedCluster.Builder builder) {
    EmbeddedCluster cluster = builder.supervision(WITHOUT_AGENTS).start();
    return new Ground() {
      @Override
      public CorfuOptions options() {
        return patient(cluster.clientOptions());
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

  private static CorfuOptions patient(CorfuOptions options) {
    return options
        .withHoleTimeout(HOLE_TIMEOUT)
        .withOperationTimeout(PATIENCE)
        .withRequestTimeout(PATIENCE.dividedBy(3))
        .withReconfigureAfter(PATIENCE);
  }

  /**
   * Starts a cluster over TCP, on disks, at free ports.
   *
   * @param make returns the cluster for a directory and a first port
   */
  static Ground overTcp(Path parent, BiFunction<Path, Integer, ClusterConfig> make, int servers) {
    RealWorld world = new RealWorld();
    int port = FreePorts.consecutive(servers, world.random());
    ClusterConfig config = make.apply(directoryIn(parent), port).withSupervision(WITHOUT_AGENTS);
    List<Node> nodes =
        config.servers().stream().map(server -> Node.start(config, server.name())).toList();
    Transport transport = TcpTransport.open(world, Optional::empty, ClientOptions.DEFAULT);
    Bootstrap.bootstrap(config);
    return new Ground() {
      @Override
      public CorfuOptions options() {
        return patient(CorfuOptions.of(config.endpoints()));
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

  private static Path directoryIn(Path parent) {
    try {
      return Files.createTempDirectory(parent, "cluster");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
