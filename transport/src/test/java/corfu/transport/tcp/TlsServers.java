package corfu.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import corfu.protocol.Epoch;
import corfu.protocol.Identity;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.RequestOrigin;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.transport.ClientOptions;
import corfu.transport.Peer;
import corfu.transport.RequestHandler;
import corfu.transport.ScriptedServer;
import corfu.transport.tls.TlsCredentials;
import corfu.transport.tls.TlsOptions;
import corfu.world.RealWorld;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Servers and clients with different TLS, over loopback, for one test. */
final class TlsServers {

  static final long LONG = TimeUnit.SECONDS.toNanos(60);
  static final Request TAIL = new SequencerRequest.AskTail(new Epoch(1));

  final RealWorld world = new RealWorld();
  final CopyOnWriteArrayList<RequestOrigin> origins = new CopyOnWriteArrayList<>();
  private final Deque<AutoCloseable> closing = new ArrayDeque<>();

  /** Notes the origin of each request, and answers it. */
  private final class Noting implements RequestHandler {
    private final ScriptedServer scripted =
        new ScriptedServer((request, reply) -> reply.accept(new SequencerReply.Tail(7)));

    @Override
    public void handle(Request request, Consumer<Reply> reply) {
      scripted.handle(request, reply);
    }

    @Override
    public void handle(Request request, RequestOrigin origin, Consumer<Reply> reply) {
      if (!(request instanceof NodeRequest.Hello)) {
        origins.add(origin);
      }
      handle(request, reply);
    }
  }

  TlsCredentials credentials(TlsOptions options) {
    return closing(TlsCredentials.open(world, options));
  }

  <T extends AutoCloseable> T closing(T one) {
    closing.push(one);
    return one;
  }

  TcpServer serve(TlsOptions options) {
    return serve(credentials(options), TcpServerOptions.DEFAULT, 0);
  }

  TcpServer serve(TlsCredentials credentials, TcpServerOptions options, int port) {
    TcpServer server = closing(TcpServer.bind(world, "127.0.0.1", port, options, credentials));
    server.serve(new Noting());
    return server;
  }

  Peer client(TcpServer server, TlsOptions options) {
    return client(server, credentials(options));
  }

  Peer client(TcpServer server, TlsCredentials credentials) {
    return transport(credentials).peer(server.endpoint());
  }

  TcpTransport transport(TlsCredentials credentials) {
    return closing(newTransport(credentials));
  }

  /** Returns a transport that the caller closes. */
  TcpTransport newTransport(TlsCredentials credentials) {
    return TcpTransport.open(world, Optional::empty, ClientOptions.DEFAULT, credentials);
  }

  /** Calls over the client's loop, and returns the client's identity as the server sees it. */
  Identity identityAt(Peer peer) {
    assertThat(Peer.await(peer.send(TAIL, LONG))).isEqualTo(new SequencerReply.Tail(7));
    return origins.getLast().identity();
  }

  /** Calls, over a lone connection if there is one, and returns the identity. */
  Identity identityOfLoneCallAt(Peer peer) {
    assertThat(peer.call(TAIL, LONG)).isEqualTo(new SequencerReply.Tail(7));
    return origins.getLast().identity();
  }

  /** Calls a server that must not serve, and returns the failure. */
  Throwable refusalOf(Peer peer) {
    int before = origins.size();
    Throwable failure = catchThrowable(() -> Peer.await(peer.send(TAIL, LONG)));
    assertThat(failure).isNotNull();
    assertThat(origins).hasSize(before);
    return failure;
  }

  void close() throws Exception {
    for (AutoCloseable one : closing) {
      one.close();
    }
    world.close();
    assertThat(UnpooledByteBufAllocator.DEFAULT.metric().usedDirectMemory()).isZero();
  }
}
