package corfu.node;

import corfu.protocol.Endpoint;
import corfu.roles.logunit.UnitMode;
import corfu.runtime.CorfuOptions;
import corfu.transport.ClientOptions;
import corfu.transport.Transport;
import corfu.transport.tcp.TcpTransport;
import corfu.world.RealWorld;
import corfu.world.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

/** Streams by backpointers over TCP, on disks. */
final class TcpStreamsTest extends StreamConformance {

  @TempDir private static Path directory;

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  Ground start() {
    Path own = directory.resolve(Long.toString(freePort()));
    ClusterConfig local = ClusterConfig.local(own, 1, 2, 2, UnitMode.DURABLE);
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
        local.withServers(2, servers).withSupervision(Supervision.DEFAULT.withAgent(false));
    List<Node> nodes = servers.stream().map(server -> Node.start(config, server.name())).toList();
    RealWorld world = new RealWorld();
    Transport transport = TcpTransport.open(world, Optional::empty, ClientOptions.DEFAULT);
    Bootstrap.bootstrap(config, world, transport);
    return new Ground() {
      @Override
      public CorfuOptions options() {
        return CorfuOptions.of(config.endpoints());
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
