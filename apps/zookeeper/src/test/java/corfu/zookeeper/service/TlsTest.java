package corfu.zookeeper.service;

import static corfu.world.Eventually.eventually;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.zookeeper.ListenOptions;
import corfu.zookeeper.ZooKeeperOptions;
import corfu.zookeeper.ZooKeeperService;
import corfu.zookeeper.client.StockClient;
import corfu.zookeeper.wire.Connection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocket;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.ClientInfo;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.proto.CreateRequest;
import org.apache.zookeeper.proto.GetDataRequest;
import org.apache.zookeeper.server.auth.ProviderRegistry;
import org.apache.zookeeper.server.auth.X509AuthenticationProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The port with TLS. */
class TlsTest {

  private static final String X509 = ProviderRegistry.AUTHPROVIDER_PROPERTY_PREFIX + "x509";
  private static final int TIMEOUT_MILLIS = 60_000;
  private static final Pattern RECEIVED = Pattern.compile("Received: (\\d+)");

  @TempDir private static Path directory;

  private static TlsCertificates certificates;

  @BeforeAll
  static void configure() throws Exception {
    certificates = TlsCertificates.in(directory);
    certificates.setServerProperties();
    System.setProperty(X509, X509AuthenticationProvider.class.getName());
    ProviderRegistry.initialize();
  }

  @AfterAll
  static void restore() {
    certificates.clearServerProperties();
    System.clearProperty(X509);
    ProviderRegistry.removeProvider("x509");
  }

  private static ZooKeeperService start(Services services) throws IOException {
    ZooKeeperOptions options = Services.OPTIONS;
    var anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    ListenOptions plain = options.listen();
    return services.start(
        options.withListen(
            new ListenOptions(
                plain.clientAddress(),
                Optional.of(anyPort),
                plain.adminPort(),
                plain.advertisedHost(),
                plain.maxConnectionsPerHost())));
  }

  private static int securePort(ZooKeeperService service) {
    return service.secureAddress().orElseThrow().getPort();
  }

  private static StockClient stockClient(ZooKeeperService service)
      throws IOException, InterruptedException {
    return new StockClient("localhost:" + securePort(service), certificates.clientConfig());
  }

  /** Returns a connection after its handshake. */
  private static Connection connect(ZooKeeperService service)
      throws IOException, GeneralSecurityException {
    var socket = (SSLSocket) certificates.context().getSocketFactory().createSocket();
    socket.setReceiveBufferSize(1 << 16);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), securePort(service)));
    socket.startHandshake();
    return new Connection(socket);
  }

  @Test
  void theStockClientUsesTheSameNamespaceByTls() throws Exception {
    try (Services services = Services.inMemory()) {
      ZooKeeperService service = start(services);
      try (var secure = stockClient(service);
          var plain = new StockClient(Services.connectString(service))) {
        byte[] data = "secret".getBytes(UTF_8);
        var owner = new ACL(Perms.ALL, new Id("x509", TlsCertificates.SUBJECT));
        secure.zooKeeper().create("/open", data, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        secure
            .zooKeeper()
            .create("/own", data, Collections.singletonList(owner), CreateMode.EPHEMERAL);
        plain.zooKeeper().exists("/open", plain.queue());

        secure.zooKeeper().setData("/open", new byte[0], 0);

        assertThat(plain.nextEvent()).isEqualTo("NodeDataChanged /open");
        assertThat(secure.zooKeeper().getData("/own", false, null)).isEqualTo(data);
        assertThat(secure.zooKeeper().whoAmI())
            .contains(new ClientInfo("x509", TlsCertificates.SUBJECT));
        assertThat(refused(plain)).isEqualTo("NoAuthException");
      }
    }
  }

  private static String refused(StockClient client) throws InterruptedException {
    try {
      client.zooKeeper().getData("/own", false, null);
      return "";
    } catch (KeeperException failure) {
      return failure.getClass().getSimpleName();
    }
  }

  @Test
  void garbageClosesItsConnectionOnly() throws Exception {
    try (Services services = Services.inMemory()) {
      ZooKeeperService service = start(services);
      try (var before = stockClient(service)) {
        for (byte[] garbage :
            List.of(
                "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII),
                ByteBuffer.allocate(4).putInt(-1).array(),
                ByteBuffer.allocate(4).putInt(Integer.MAX_VALUE).array(),
                ByteBuffer.allocate(12).putInt(8).putInt(-1).putInt(-1).array())) {
          try (var encrypted = connect(service)) {
            encrypted.sendBytes(garbage);
            encrypted.flush();
            assertThat(encrypted.awaitEnd()).isTrue();
          }
        }
        try (var withoutTls = new Connection(securePort(service))) {
          withoutTls.sendBytes("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII));
          withoutTls.flush();
          assertThat(withoutTls.awaitEnd()).isTrue();
        }
        assertThat(before.zooKeeper().exists("/", false)).isNotNull();
      }
    }
  }

  /** Unread replies are in the server, which holds 4 MiB, or in the buffers of the sockets. */
  @Test
  void aClientThatPipelinesWithoutReadingHasABoundedNumberOfUnreadReplies() throws Exception {
    int count = 1_000;
    byte[] data = new byte[100_000];
    int mostUnread = 20_000_000 / data.length;
    try (Services services = Services.inMemory()) {
      ZooKeeperService service = start(services);
      try (var lazy = connect(service);
          var other = stockClient(service)) {
        lazy.connect(TIMEOUT_MILLIS);
        // A server takes all requests that arrive together, so they are too large for that.
        String path = "/" + "a".repeat(2_000);
        Thread sender =
            Thread.startVirtualThread(
                () -> {
                  try {
                    lazy.send(
                        0, OpCode.create, new CreateRequest(path, data, Ids.OPEN_ACL_UNSAFE, 0));
                    for (int i = 1; i <= count; i++) {
                      lazy.send(i, OpCode.getData, new GetDataRequest(path, false));
                    }
                    lazy.flush();
                  } catch (IOException closed) {
                    throw new UncheckedIOException(closed);
                  }
                });
        eventually(() -> assertThat(received(service)).isGreaterThan(40));
        assertThat(other.zooKeeper().exists("/", false)).isNotNull();
        for (int i = 0; i <= count; i++) {
          if (i % 20 == 0) {
            assertThat(received(service) - i).as("replies at %d", i).isLessThan(mostUnread);
          }
          int xid = i;
          assertThat(lazy.receive())
              .hasValueSatisfying(reply -> assertThat(reply.xid()).isEqualTo(xid));
        }
        sender.join();
      }
    }
  }

  /** Returns the number of packets that a server has taken from its connections. */
  private static int received(ZooKeeperService service) throws IOException {
    try (var connection = new Connection(service.clientPort())) {
      connection.sendBytes("srvr".getBytes(US_ASCII));
      connection.flush();
      Matcher line = RECEIVED.matcher(new String(connection.receiveAll(), US_ASCII));
      assertThat(line.find()).isTrue();
      return Integer.parseInt(line.group(1));
    }
  }
}
