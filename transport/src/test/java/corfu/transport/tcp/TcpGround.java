package corfu.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.transport.ClientOptions;
import corfu.transport.EventuallyAnswering;
import corfu.transport.RequestHandler;
import corfu.transport.Transport;
import corfu.transport.TransportGround;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The ground for TCP over loopback. The allocator of these tests counts buffers, so that a leak
 * shows.
 */
final class TcpGround extends TransportGround {

  static void assertThatEveryBufferWasReleased() {
    assertThat(UnpooledByteBufAllocator.DEFAULT.metric().usedDirectMemory()).isZero();
  }

  @Override
  protected Server start(RequestHandler handler) {
    return new Listening(handler, 0);
  }

  @Override
  protected Transport connect(Supplier<Optional<ClusterId>> cluster, ClientOptions options) {
    return TcpTransport.open(world, cluster, options);
  }

  private final class Listening implements Server {

    private final TcpServer server;

    private Listening(RequestHandler handler, int port) {
      server = TcpServer.bind(world, "127.0.0.1", port, TcpServerOptions.DEFAULT);
      var answering = new EventuallyAnswering(handler);
      server.serve(answering);
      closing(
          () -> {
            server.stop();
            server.loop().execute(answering::answerTheRest);
            server.close();
          });
    }

    @Override
    public Endpoint endpoint() {
      return server.endpoint();
    }

    @Override
    public void stop() {
      server.stop();
    }

    @Override
    public Server restart(RequestHandler handler) {
      return new Listening(handler, server.endpoint().port());
    }
  }
}
