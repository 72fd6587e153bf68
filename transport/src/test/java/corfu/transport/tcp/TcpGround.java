package corfu.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.transport.ClientOptions;
import corfu.transport.EventuallyAnswering;
import corfu.transport.RequestHandler;
import corfu.transport.Transport;
import corfu.transport.TransportGround;
import corfu.transport.tls.TestAuthority;
import corfu.transport.tls.TlsCredentials;
import corfu.transport.tls.TlsEngine;
import corfu.transport.tls.TlsOptions;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The ground for TCP over loopback. The allocator of these tests counts buffers, so that a leak
 * shows.
 */
final class TcpGround extends TransportGround {

  private final TlsCredentials credentials;

  TcpGround() {
    this.credentials = TlsCredentials.off();
  }

  private TcpGround(TlsOptions tls) {
    this.credentials = closing(TlsCredentials.open(world, tls));
  }

  /** Returns a ground whose connections have mutual TLS. */
  static TcpGround encrypted(TlsEngine engine) {
    try {
      Path directory = Files.createTempDirectory("corfu-tls");
      TcpGround ground = new TcpGround(TestAuthority.anyone(directory, engine));
      ground.closing(() -> delete(directory));
      return ground;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }

  static void assertThatEveryBufferWasReleased() {
    assertThat(UnpooledByteBufAllocator.DEFAULT.metric().usedDirectMemory()).isZero();
  }

  @Override
  protected Server start(RequestHandler handler) {
    return new Listening(handler, 0);
  }

  @Override
  protected Transport connect(Supplier<Optional<ClusterId>> cluster, ClientOptions options) {
    return TcpTransport.open(world, cluster, options, credentials);
  }

  private final class Listening implements Server {

    private final TcpServer server;

    private Listening(RequestHandler handler, int port) {
      server = TcpServer.bind(world, "127.0.0.1", port, TcpServerOptions.DEFAULT, credentials);
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
