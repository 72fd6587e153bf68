package corfu.transport.tcp;

import static corfu.world.Eventually.eventually;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.Endpoint;
import corfu.protocol.Identity;
import corfu.protocol.Limits;
import corfu.protocol.message.Failure;
import corfu.protocol.message.NodeRequest.Hello;
import corfu.protocol.wire.Frame;
import corfu.protocol.wire.FrameCodec;
import corfu.transport.Peer;
import corfu.transport.UnreachableException;
import corfu.transport.internal.tls.EncryptedSocket;
import corfu.transport.tls.TestAuthority;
import corfu.transport.tls.TestAuthority.Wish;
import corfu.transport.tls.TlsCredentials;
import corfu.transport.tls.TlsEngine;
import corfu.transport.tls.TlsOptions;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.util.ReferenceCountUtil;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients and servers that break the rules of TLS. Established connections notice nothing. */
@Timeout(180)
@ParameterizedClass
@EnumSource(names = {"JDK", "NATIVE"})
class HostileTlsTest {

  private static final Duration PATIENCE = Duration.ofMillis(300);
  private static final TcpServerOptions OPTIONS =
      new TcpServerOptions(
          new Limits(1 << 20, 2 << 20, 100), 64, 64, 1 << 20, 1 << 20, 64 << 20, PATIENCE);

  private final TlsEngine engine;
  private final TlsServers servers = new TlsServers();
  private final TestAuthority authority = new TestAuthority("root");
  private TlsCredentials credentials;
  private TcpServer server;
  private Peer wellBehaved;

  @TempDir private Path directory;

  HostileTlsTest(TlsEngine engine) {
    this.engine = engine;
  }

  @BeforeEach
  void serve() {
    TlsOptions tls =
        TestAuthority.write(
                directory, "node", authority.issue(Wish.server("node")), authority.certificate())
            .withEngine(engine);
    credentials = servers.credentials(tls);
    server = servers.serve(credentials, OPTIONS, 0);
    wellBehaved = servers.client(server, credentials);
    assertThat(servers.identityAt(wellBehaved)).isEqualTo(new Identity("node"));
  }

  @AfterEach
  void nobodyElseNoticed() throws Exception {
    assertThat(servers.identityAt(wellBehaved)).isEqualTo(new Identity("node"));
    assertThat(servers.origins.getLast())
        .as("the same connection")
        .isEqualTo(servers.origins.getFirst());
    servers.close();
  }

  /** A client whose bytes the test encrypts itself, or not at all. */
  private EncryptedSocket encrypted() throws IOException {
    Socket socket = new Socket(server.endpoint().host(), server.endpoint().port());
    socket.setTcpNoDelay(true);
    return EncryptedSocket.open(
        socket,
        credentials.clientEngine(ByteBufAllocator.DEFAULT, server.endpoint()),
        servers.world.nanoTime() + TlsServers.LONG,
        servers.world::nanoTime);
  }

  private static boolean isEnded(EncryptedSocket socket) {
    try {
      byte[] some = new byte[1 << 10];
      while (socket.read(some, 0, some.length, 60_000) >= 0) {
        // an answer
      }
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException ended) {
      return true;
    }
  }

  @Test
  void aClientOfAnEarlierVersionOfTlsIsRefused() throws Exception {
    SSLContext old = SSLContext.getInstance("TLSv1.2");
    old.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
    try (var socket =
        (SSLSocket)
            old.getSocketFactory()
                .createSocket(server.endpoint().host(), server.endpoint().port())) {
      socket.setEnabledProtocols(new String[] {"TLSv1.2"});
      assertThatThrownBy(socket::startHandshake)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("protocol_version");
    }
  }

  @Test
  void aServerOfAnEarlierVersionOfTlsIsNotUsed() throws Exception {
    var own = authority.issue(Wish.server("node"));
    var keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    keys.setKeyEntry("own", own.key(), new char[0], new Certificate[] {own.certificate()});
    var managers = KeyManagerFactory.getInstance("PKIX");
    managers.init(keys, new char[0]);
    SSLContext old = SSLContext.getInstance("TLSv1.2");
    old.init(managers.getKeyManagers(), null, null);
    try (var listening = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
      servers.world.start("old server", () -> answerOne(listening, old));
      var client =
          servers.transport(credentials).peer(new Endpoint("127.0.0.1", listening.getLocalPort()));

      assertThatThrownBy(() -> Peer.await(client.send(TlsServers.TAIL, TlsServers.LONG)))
          .isInstanceOf(UnreachableException.class)
          .hasMessageContaining("expected TLS 1.3");
    }
  }

  /**
   * Waits for the client to close: a server that closes with unread bytes resets the connection, so
   * that the client may lose the alert.
   */
  private static void answerOne(ServerSocket listening, SSLContext old) {
    try (Socket one = listening.accept()) {
      var secure =
          (SSLSocket)
              old.getSocketFactory().createSocket(one, InputStream.nullInputStream(), false);
      secure.setEnabledProtocols(new String[] {"TLSv1.2"});
      assertThatThrownBy(secure::startHandshake).isInstanceOf(IOException.class);
      var unused = one.getInputStream().readAllBytes();
    } catch (IOException refused) {
      // as it should be
    }
  }

  @Test
  void aClientOfAnotherProtocolOverTlsIsClosed() throws Exception {
    var own = authority.issue(Wish.named("browser"));
    SslContext http =
        SslContextBuilder.forClient()
            .sslProvider(SslProvider.JDK)
            .trustManager(authority.certificate())
            .keyManager(own.key(), own.certificate())
            .endpointIdentificationAlgorithm(null)
            .applicationProtocolConfig(
                new ApplicationProtocolConfig(
                    ApplicationProtocolConfig.Protocol.ALPN,
                    ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                    ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                    "h2"))
            .build();
    Socket socket = new Socket(server.endpoint().host(), server.endpoint().port());
    SSLEngine stranger = http.newEngine(ByteBufAllocator.DEFAULT);
    try (var client =
        EncryptedSocket.open(
            socket,
            stranger,
            servers.world.nanoTime() + TlsServers.LONG,
            servers.world::nanoTime)) {
      assertThat(isEnded(client)).isTrue();
    } catch (IOException refused) {
      // during the handshake already
    }
  }

  @Test
  void garbageAfterTheHandshakeIsRefused() throws Exception {
    Random random = new Random(7);
    for (int i = 0; i < 50; i++) {
      byte[] garbage = new byte[1 + random.nextInt(40_000)];
      random.nextBytes(garbage);
      garbage[3 % garbage.length] = (byte) 0xff; // a length beyond all limits
      try (EncryptedSocket client = encrypted()) {
        write(client, garbage);
        assertThat(isEnded(client)).isTrue();
      }
    }
  }

  @Test
  void theReasonOfARefusalArrivesBeforeTheEnd() throws Exception {
    try (EncryptedSocket client = encrypted()) {
      write(client, RawClient.bytes(TlsServers.TAIL, 7)); // before any HELLO
      byte[] answer = new byte[1 << 10];
      int length = 0;
      while (length < 24 || length < ByteBuffer.wrap(answer).order(LITTLE_ENDIAN).getInt()) {
        int count = client.read(answer, length, answer.length - length, 60_000);
        assertThat(count).isNotNegative();
        length += count;
      }
      Frame frame = FrameCodec.decode(ByteBuffer.wrap(answer, 0, length));
      assertThat(frame.requestId()).isEqualTo(7);
      assertThat(frame.message()).isInstanceOf(Failure.Refused.class);
      assertThat(isEnded(client)).isTrue();
    }
  }

  /** The server may end the connection while the client still writes. */
  private static void write(EncryptedSocket client, byte[] bytes) {
    try {
      client.write(bytes, 0, bytes.length);
    } catch (IOException ended) {
      // the test looks at the end of the connection
    }
  }

  @Test
  void plainBytesAfterTheHandshakeAreRefused() throws Exception {
    try (Socket socket = new Socket(server.endpoint().host(), server.endpoint().port())) {
      EncryptedSocket client =
          EncryptedSocket.open(
              socket,
              credentials.clientEngine(ByteBufAllocator.DEFAULT, server.endpoint()),
              servers.world.nanoTime() + TlsServers.LONG,
              servers.world::nanoTime);
      socket.getOutputStream().write(RawClient.bytes(new Hello(1, 2, Optional.empty()), 1));
      assertThat(isEnded(client)).isTrue();
      client.close();
    }
  }

  /** The bytes of a client's first flight, as its engine makes them. */
  private byte[] clientHello() throws IOException {
    SSLEngine engine = credentials.clientEngine(ByteBufAllocator.DEFAULT, server.endpoint());
    engine.setUseClientMode(true);
    engine.beginHandshake();
    ByteBuffer record = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    engine.wrap(ByteBuffer.allocate(0), record);
    ReferenceCountUtil.release(engine);
    return Arrays.copyOf(record.array(), record.position());
  }

  @Test
  void truncatedRecordsAndDamagedOnesEndTheirConnectionOnly() throws Exception {
    Random random = new Random(11);
    for (int i = 0; i < 200; i++) {
      byte[] hello = clientHello();
      if (i % 2 == 0) {
        hello = Arrays.copyOf(hello, random.nextInt(hello.length));
      } else {
        for (int flips = 1 + random.nextInt(8); flips > 0; flips--) {
          hello[random.nextInt(hello.length)] ^= (byte) (1 << random.nextInt(8));
        }
      }
      try (RawClient client = new RawClient(server.endpoint())) {
        client.send(hello);
        client.endOutput();
        assertThat(client.isClosedByServer()).isTrue();
      }
    }
  }

  @Test
  void randomBytesThatBeginLikeTlsEndTheirConnectionOnly() throws Exception {
    Random random = new Random(13);
    for (int i = 0; i < 300; i++) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      byte[] rest = new byte[random.nextInt(3_000)];
      random.nextBytes(rest);
      bytes.write(0x16);
      bytes.write(3);
      bytes.write(random.nextInt(5));
      bytes.writeBytes(rest);
      try (RawClient client = new RawClient(server.endpoint())) {
        client.send(bytes.toByteArray());
        client.endOutput();
        assertThat(client.isClosedByServer()).isTrue();
      }
    }
  }

  @Test
  void aRecordThatIsChangedOnItsWayEndsTheConnection() throws Exception {
    Random random = new Random(17);
    for (int i = 0; i < 30; i++) {
      try (Socket socket = new Socket(server.endpoint().host(), server.endpoint().port())) {
        EncryptedSocket client =
            EncryptedSocket.open(
                socket,
                credentials.clientEngine(ByteBufAllocator.DEFAULT, server.endpoint()),
                servers.world.nanoTime() + TlsServers.LONG,
                servers.world::nanoTime);
        byte[] body = new byte[17 + random.nextInt(500)];
        random.nextBytes(body);
        ByteBuffer record = ByteBuffer.allocate(5 + body.length);
        record.put((byte) 0x17).putShort((short) 0x0303).putShort((short) body.length).put(body);
        socket.getOutputStream().write(record.array());
        assertThat(isEnded(client)).isTrue();
        client.close();
      }
    }
  }

  /** Each connection has keys of its own, and no byte of a request is accepted before them. */
  @Test
  void aRecordedConnectionThatIsSentAgainHasNoEffect() throws Exception {
    for (int i = 0; i < 5; i++) {
      ByteArrayOutputStream recorded = new ByteArrayOutputStream();
      try (EncryptedSocket client =
          EncryptedSocket.open(
              new RecordingSocket(server.endpoint(), recorded),
              credentials.clientEngine(ByteBufAllocator.DEFAULT, server.endpoint()),
              servers.world.nanoTime() + TlsServers.LONG,
              servers.world::nanoTime)) {
        int before = servers.origins.size();
        write(client, RawClient.bytes(new Hello(1, 1, Optional.empty()), 1));
        write(client, RawClient.bytes(TlsServers.TAIL, 2));
        byte[] some = new byte[1 << 10];
        while (servers.origins.size() == before) {
          assertThat(client.read(some, 0, some.length, 60_000)).isNotNegative();
        }
      }
      int served = servers.origins.size();
      try (RawClient attacker = new RawClient(server.endpoint())) {
        attacker.send(recorded.toByteArray());
        attacker.endOutput();
        assertThat(attacker.isClosedByServer()).isTrue();
      }
      assertThat(servers.origins).hasSize(served);
    }
  }

  /** Keeps a copy of all bytes that the client sends. */
  private static final class RecordingSocket extends Socket {
    private final ByteArrayOutputStream copy;

    RecordingSocket(Endpoint endpoint, ByteArrayOutputStream copy) throws IOException {
      super(endpoint.host(), endpoint.port());
      this.copy = copy;
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return new FilterOutputStream(super.getOutputStream()) {
        @Override
        public void write(byte[] bytes, int offset, int count) throws IOException {
          copy.write(bytes, offset, count);
          out.write(bytes, offset, count);
        }
      };
    }
  }

  @Test
  void slowHandshakesAreClosedAtTheirDeadline() throws Exception {
    List<RawClient> slow = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      RawClient client = new RawClient(server.endpoint());
      byte[] hello = clientHello();
      int sent = List.of(0, 1, 5, hello.length / 2, hello.length).get(i % 5);
      client.send(Arrays.copyOf(hello, sent));
      slow.add(client);
    }
    for (RawClient client : slow) {
      assertThat(client.isClosedByServer()).isTrue();
      client.close();
    }
  }

  @Test
  void whileHandshakesFloodTheServerOthersGoOnAndNewClientsAreServed() throws Exception {
    TcpServer flooded = servers.serve(credentials, TcpServerOptions.DEFAULT, 0);
    Peer early = servers.client(flooded, credentials);
    byte[] hello = clientHello();
    List<RawClient> flood = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      RawClient client = new RawClient(flooded.endpoint());
      client.send(hello); // a key share that no client will use to continue
      flood.add(client);
      if (i % 20 == 0) {
        assertThat(servers.identityAt(early)).isEqualTo(new Identity("node"));
      }
    }
    for (RawClient client : flood) {
      client.close();
    }
    Peer late = servers.client(flooded, credentials);
    eventually(() -> assertThat(servers.identityAt(late)).isEqualTo(new Identity("node")));
  }
}
