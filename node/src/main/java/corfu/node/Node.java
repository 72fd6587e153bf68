package corfu.node;

import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.roles.logunit.UnitMode;
import corfu.transport.ClientOptions;
import corfu.transport.Transport;
import corfu.transport.tcp.TcpServer;
import corfu.transport.tcp.TcpServerOptions;
import corfu.transport.tcp.TcpTransport;
import corfu.world.RealWorld;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/**
 * One server of a cluster, listening on TCP. Connections and roles share one thread; disks are
 * synced on others.
 */
public final class Node implements AutoCloseable {

  private final RealWorld world;
  private final TcpServer server;
  private final Assembly assembly;
  private final Transport transport;
  private final SequencerKeeper keeper;
  private final CountDownLatch closed = new CountDownLatch(1);

  private Node(
      RealWorld world,
      TcpServer server,
      Assembly assembly,
      Transport transport,
      SequencerKeeper keeper) {
    this.world = world;
    this.server = server;
    this.assembly = assembly;
    this.transport = transport;
    this.keeper = keeper;
  }

  /**
   * Starts one server of the configuration. What its directory holds is recovered first; then it
   * listens.
   *
   * @throws ConfigException if no server has this name
   * @throws corfu.world.DirectoryInUseException if another server runs on its directory
   * @throws corfu.world.DiskException if its directory cannot be used
   */
  public static Node start(ClusterConfig cluster, String name) {
    ServerConfig config = cluster.server(name);
    RealWorld world = new RealWorld();
    TcpServer server = null;
    Assembly assembly = null;
    try {
      TcpServerOptions options = TcpServerOptions.DEFAULT.withLimits(cluster.limits());
      server = TcpServer.bind(world, config.listen().host(), config.listen().port(), options);
      assembly = new Assembly(cluster, config, world, server.loop(), forgets(cluster));
      Optional<Layout> known = assembly.roles().newestLayout();
      Transport transport =
          TcpTransport.open(
              world,
              () -> known.map(Layout::clusterId),
              ClientOptions.DEFAULT.withLimits(cluster.limits()));
      SequencerKeeper keeper = new SequencerKeeper(world, transport, config.listen());
      server.serve(assembly.roles());
      if (known.isPresent() || config.roles().equals(Set.of(RoleKind.SEQUENCER))) {
        keeper.keep(cluster.endpointsOf(RoleKind.LAYOUT_SERVER));
      }
      return new Node(world, server, assembly, transport, keeper);
    } catch (RuntimeException failure) {
      if (assembly != null) {
        assembly.close();
      }
      if (server != null) {
        server.close();
      }
      world.close();
      throw failure;
    }
  }

  /**
   * Units in memory forget their cluster when they end, so their layout servers had better, too.
   */
  private static boolean forgets(ClusterConfig cluster) {
    return cluster.mode() == UnitMode.MEMORY;
  }

  /** Where it listens. */
  public Endpoint endpoint() {
    return server.endpoint();
  }

  /** Waits until {@link #close} has been called. */
  public void awaitClosed() throws InterruptedException {
    closed.await();
  }

  /** Stops listening, lets what was accepted become durable, and gives the directory up. */
  @Override
  public void close() {
    keeper.close();
    server.stop();
    assembly.close();
    transport.close();
    server.close();
    world.close();
    closed.countDown();
  }
}
