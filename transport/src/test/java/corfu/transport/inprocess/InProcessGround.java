package corfu.transport.inprocess;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.transport.ClientOptions;
import corfu.transport.RequestHandler;
import corfu.transport.Transport;
import corfu.transport.TransportGround;
import java.util.Optional;
import java.util.function.Supplier;

/** The ground for transports within one process. */
final class InProcessGround extends TransportGround {

  private final InProcessNetwork network = new InProcessNetwork(world);
  private int servers;

  @Override
  protected Server start(RequestHandler handler) {
    servers++;
    return new Registered(new Endpoint("node", servers), handler);
  }

  @Override
  protected Transport connect(Supplier<Optional<ClusterId>> cluster, ClientOptions options) {
    return network.transport(cluster, options);
  }

  private final class Registered implements Server {

    private final InProcessServer server;

    private Registered(Endpoint endpoint, RequestHandler handler) {
      server = closing(network.register(endpoint, handler, closing(world.loop("server"))));
    }

    @Override
    public Endpoint endpoint() {
      return server.endpoint();
    }

    @Override
    public void stop() {
      server.close();
    }

    @Override
    public Server restart(RequestHandler handler) {
      return new Registered(server.endpoint(), handler);
    }
  }
}
