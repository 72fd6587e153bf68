package corfu.nbd;

import static corfu.nbd.testing.ClientBytes.request;
import static corfu.nbd.testing.ClientBytes.write;
import static corfu.world.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.nbd.internal.protocol.NbdCommand;
import corfu.nbd.internal.server.ServerSockets;
import corfu.nbd.testing.MemoryDevice;
import corfu.nbd.testing.MemoryExports;
import corfu.nbd.testing.RawClient;
import corfu.nbd.testing.SlowDevice;
import corfu.world.RealWorld;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class NbdServerTest {

  private static final int MEBIBYTE = 1 << 20;

  private final RealWorld world = new RealWorld();
  private final MemoryDevice disk = new MemoryDevice(256L * MEBIBYTE);
  private final SlowDevice slow = new SlowDevice(1L << 40);
  private final MemoryExports exports = new MemoryExports().with("disk", disk).with("slow", slow);

  @TempDir private Path directory;

  @AfterEach
  void endWorld() {
    world.close();
  }

  private static NbdServerOptions tcp() {
    return NbdServerOptions.at(new NbdAddress.Tcp("127.0.0.1", 0));
  }

  private NbdServer start(NbdServerOptions options) {
    return NbdServer.start(options, exports, world);
  }

  @ParameterizedTest
  @EnumSource(ServerSockets.class)
  void bothKindsOfSocketsServeTcpAndUnixSockets(ServerSockets sockets) throws IOException {
    NbdAddress unix = new NbdAddress.UnixSocket(directory.resolve("socket"));
    for (NbdServerOptions options : List.of(tcp(), NbdServerOptions.at(unix))) {
      try (NbdServer server = NbdServer.start(options, exports, world, sockets);
          RawClient client = RawClient.begin(server.address(), "disk")) {
        byte[] data = new byte[3 * MEBIBYTE + 17];
        new Random(7).nextBytes(data);
        client.send(write(1, 12345, data));
        assertThat(client.readSimple(1)).isZero();
        client.send(request(NbdCommand.READ, 0, 2, 12345, data.length));
        assertThat(client.readSimple(2)).isZero();
        assertThat(client.read(data.length)).isEqualTo(data);
      }
    }
    assertThat(directory).isEmptyDirectory();
    eventually(() -> assertThat(disk.openConnections()).isZero());
  }

  @Test
  void theSocketOfADeadServerIsReplacedAndThatOfALivingOneIsNot() throws IOException {
    Path path = directory.resolve("socket");
    NbdServerOptions options = NbdServerOptions.at(new NbdAddress.UnixSocket(path));
    try (NbdServer server = start(options)) {
      assertThat(server.connections()).isZero();
      assertThatThrownBy(() -> start(options))
          .isInstanceOf(NbdServerException.class)
          .hasMessageContaining("another server listens on " + path);
    }
    Files.writeString(path, "precious");
    assertThatThrownBy(() -> start(options)).hasMessageContaining("is no socket");
    assertThat(path).hasContent("precious");
  }

  @Test
  void aPortInUseIsTold() {
    try (NbdServer server = start(tcp())) {
      NbdServerOptions same = NbdServerOptions.at(server.address());
      assertThatThrownBy(() -> start(same))
          .isInstanceOf(NbdServerException.class)
          .hasMessageStartingWith("cannot listen on " + server.address() + ": ")
          .hasMessageContaining("in use");
    }
  }

  @Test
  void aThousandConnectionsAreServedAndOneMoreIsClosed() throws IOException {
    List<RawClient> clients = new ArrayList<>();
    try (NbdServer server = start(tcp().withBounds(1000, 256L * MEBIBYTE))) {
      for (int i = 0; i < 1000; i++) {
        clients.add(RawClient.begin(server.address(), "disk"));
      }
      try (RawClient refused = RawClient.connect(server.address())) {
        assertThat(refused.drain()).isZero();
      }
      for (int i = 0; i < 1000; i++) {
        clients.get(i).send(write(i, 4096L * i, Integer.toString(i).getBytes(UTF_8)));
      }
      for (int i = 0; i < 1000; i++) {
        assertThat(clients.get(i).readSimple(i)).isZero();
      }
      for (RawClient client : clients) {
        client.close();
      }
      eventually(() -> assertThat(server.connections()).isZero());
      assertThat(disk.bytes(4096L * 999, 3)).isEqualTo("999".getBytes(UTF_8));
    }
    eventually(() -> assertThat(disk.openConnections()).isZero());
  }

  @Test
  void garbageDisturbsNobodyElse() throws IOException {
    Random random = new Random(5);
    try (NbdServer server = start(tcp());
        RawClient steady = RawClient.begin(server.address(), "disk")) {
      for (int i = 0; i < 200; i++) {
        byte[] garbage = new byte[1 + random.nextInt(5000)];
        random.nextBytes(garbage);
        boolean isInTransmission = random.nextBoolean();
        try (RawClient client =
            isInTransmission
                ? RawClient.begin(server.address(), "disk")
                : RawClient.connect(server.address())) {
          client.send(Unpooled.wrappedBuffer(garbage));
          if (garbage.length >= 32) {
            client.drain(); // returns, because the server closes the connection
          }
        } catch (IOException reset) {
          // closed while the client was sending
        }
      }
      steady.send(request(NbdCommand.FLUSH, 0, 1, 0, 0));
      assertThat(steady.readSimple(1)).isZero();
      eventually(() -> assertThat(server.connections()).isOne());
    }
  }

  @Test
  void aClientThatGoesInMidRequestLeavesNothingBehind() throws IOException {
    try (NbdServer server = start(tcp())) {
      for (int i = 0; i < 50; i++) {
        try (RawClient client = RawClient.begin(server.address(), "disk")) {
          client.send(
              request(NbdCommand.WRITE, 0, 1, 0, 32 * MEBIBYTE).writeBytes(new byte[100_000]));
        }
      }
      eventually(() -> assertThat(server.connections()).isZero());
      assertThat(disk.dataPages()).isZero();
      try (RawClient client = RawClient.begin(server.address(), "disk")) { // the memory is back
        for (int i = 0; i < 10; i++) {
          client.send(request(NbdCommand.READ, 0, i, 0, 32 * MEBIBYTE));
          assertThat(client.readSimple(i)).isZero();
          assertThat(client.read(32 * MEBIBYTE)).isEqualTo(new byte[32 * MEBIBYTE]);
        }
      }
    }
  }

  @Test
  void aClientThatReadsNothingStopsNobodyElse() throws IOException {
    try (NbdServer server = start(tcp());
        RawClient deaf = RawClient.begin(server.address(), "disk");
        RawClient steady = RawClient.begin(server.address(), "disk")) {
      for (int i = 0; i < 100; i++) {
        deaf.send(request(NbdCommand.READ, 0, i, 0, MEBIBYTE));
      }
      for (int i = 0; i < 100; i++) {
        steady.send(request(NbdCommand.READ, 0, i, 0, MEBIBYTE));
        assertThat(steady.readSimple(i)).isZero();
        steady.read(MEBIBYTE);
      }
    }
  }

  @Test
  void clientsThatStallAreClosedWhenOthersNeedTheirMemory() throws IOException {
    NbdServerOptions options =
        tcp()
            .withBounds(10, 32L * MEBIBYTE)
            .withTimes(Duration.ofSeconds(30), Duration.ofMillis(300), Duration.ofSeconds(10));
    try (NbdServer server = start(options);
        RawClient stalled = RawClient.begin(server.address(), "disk");
        RawClient steady = RawClient.begin(server.address(), "disk")) {
      stalled.send(request(NbdCommand.WRITE, 0, 1, 0, 32 * MEBIBYTE));
      eventually(
          () -> { // the first request may arrive before the stalled one
            steady.send(request(NbdCommand.READ, 0, 2, 0, MEBIBYTE));
            assertThat(steady.readSimple(2)).isZero();
            steady.read(MEBIBYTE);
            assertThat(server.connections()).isOne();
          });
      assertThat(stalled.drain()).isZero();
    }
  }

  @Test
  void aHandshakeThatTakesTooLongIsEnded() throws IOException {
    NbdServerOptions options =
        tcp().withTimes(Duration.ofMillis(50), Duration.ofSeconds(30), Duration.ofSeconds(10));
    try (NbdServer server = start(options);
        RawClient idle = RawClient.connect(server.address())) {
      assertThat(idle.drain()).isLessThanOrEqualTo(18);
    }
  }

  @Test
  void closeWaitsForRequestsInFlight() throws IOException {
    NbdServer server = start(tcp());
    try (RawClient client = RawClient.begin(server.address(), "slow")) {
      client.send(request(NbdCommand.FLUSH, 0, 1, 0, 0));
      eventually(() -> assertThat(slow.waiting()).isOne());
      Thread closing = world.start("closing", server::close);
      eventually(
          () ->
              assertThatThrownBy(() -> RawClient.begin(server.address(), "disk").close())
                  .isInstanceOf(IOException.class));
      assertThat(closing.isAlive()).isTrue();
      slow.answer();
      assertThat(client.readSimple(1)).isZero();
      assertThat(client.drain()).isZero();
      eventually(() -> assertThat(closing.isAlive()).isFalse());
    }
    assertThat(slow.isClosed()).isTrue();
  }

  @Test
  void closeGivesUpOnRequestsThatDoNotEnd() throws IOException {
    NbdServerOptions options =
        tcp().withTimes(Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofMillis(50));
    NbdServer server = start(options);
    try (RawClient client = RawClient.begin(server.address(), "slow")) {
      client.send(request(NbdCommand.FLUSH, 0, 1, 0, 0));
      eventually(() -> assertThat(slow.waiting()).isOne());
      server.close();
      assertThat(client.drain()).isZero();
    }
    assertThat(slow.isClosed()).isFalse();
    slow.answer();
    assertThat(slow.isClosed()).as("after its last request").isTrue();
  }

  @Test
  void requestsOfManyConnectionsAreAnsweredByTheirCookies() throws IOException {
    try (NbdServer server = start(tcp());
        RawClient client = RawClient.begin(server.address(), "slow")) {
      ByteBuf burst = Unpooled.buffer();
      for (int i = 0; i < 32; i++) {
        burst.writeBytes(request(NbdCommand.READ, 0, i, 4096L * i, 4096));
      }
      client.send(burst);
      eventually(() -> assertThat(slow.waiting()).isEqualTo(32));
      for (int i = 0; i < 32; i++) {
        slow.answer();
      }
      for (int i = 0; i < 32; i++) {
        assertThat(client.readSimple(i)).isZero();
        client.read(4096);
      }
    }
  }
}
