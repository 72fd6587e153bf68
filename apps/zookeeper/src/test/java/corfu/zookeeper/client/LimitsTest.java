package corfu.zookeeper.client;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.zookeeper.subject.Subject;
import corfu.zookeeper.subject.SubjectOptions;
import corfu.zookeeper.subject.Subjects;
import corfu.zookeeper.wire.Connection;
import corfu.zookeeper.wire.Packet;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.jute.BinaryOutputArchive;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.proto.ConnectRequest;
import org.apache.zookeeper.proto.CreateRequest;
import org.apache.zookeeper.proto.SetWatches;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many sessions and many watches, and the memory that a server needs for each. Ours is measured
 * beside the real server. They take minutes, so they run with {@code ./corfu test --long}.
 */
@EnabledIfSystemProperty(named = "corfu.tests", matches = "long")
class LimitsTest {

  private static final int TIMEOUT_MILLIS = 40_000;
  private static final int SESSIONS = 10_000;
  private static final int WATCHES = 1_000_000;
  private static final int WATCHES_A_REQUEST = 40_000;

  private static void report(String what, Subject subject, long bytes, int count) {
    System.out.printf("%s: %d bytes of heap for each %s%n", subject.name(), bytes / count, what);
  }

  @ParameterizedTest
  @EnumSource(Subjects.class)
  void thousandsOfSessionsNeedLittleMemoryEach(Subjects subjects) throws Exception {
    List<SocketChannel> connections = new ArrayList<>();
    try (Subject subject = subjects.start(SubjectOptions.DEFAULT.withMaxConnections(0))) {
      long before = subject.liveHeapBytes();
      ByteBuffer request = packet();
      for (int i = 0; i < SESSIONS; i++) {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), subject.port());
        SocketChannel connection = SocketChannel.open(address);
        connections.add(connection);
        connection.write(request.duplicate());
      }
      for (SocketChannel connection : connections) {
        ByteBuffer header = ByteBuffer.allocate(20);
        while (header.hasRemaining()) {
          assertThat(connection.read(header)).isPositive();
        }
        assertThat(header.getLong(12)).isNotZero(); // the id of its session
      }

      long bytes = subject.liveHeapBytes() - before;
      report("session", subject, bytes, SESSIONS);
      assertThat(bytes / SESSIONS).isLessThan(8 << 10);
      try (var another = new Connection(subject.port())) {
        assertThat(another.connect(TIMEOUT_MILLIS).getSessionId()).isNotZero();
      }
    } finally {
      for (SocketChannel connection : connections) {
        connection.close();
      }
    }
  }

  private static ByteBuffer packet() throws Exception {
    var bytes = new ByteArrayOutputStream();
    new ConnectRequest(0, 0, TIMEOUT_MILLIS, 0, new byte[16], false)
        .serialize(BinaryOutputArchive.getArchive(bytes), "connect");
    return ByteBuffer.allocate(Integer.BYTES + bytes.size())
        .putInt(bytes.size())
        .put(bytes.toByteArray())
        .flip();
  }

  @ParameterizedTest
  @EnumSource(Subjects.class)
  void aMillionWatchesNeedLittleMemoryEachAndFire(Subjects subjects) throws Exception {
    try (Subject subject = subjects.start(SubjectOptions.DEFAULT);
        var client = new Connection(subject.port());
        var writer = new Connection(subject.port())) {
      client.connect(TIMEOUT_MILLIS);
      writer.connect(TIMEOUT_MILLIS);
      long before = subject.liveHeapBytes();
      for (int done = 0; done < WATCHES; done += WATCHES_A_REQUEST) {
        List<String> paths =
            IntStream.range(done, done + WATCHES_A_REQUEST).mapToObj(i -> "/w" + i).toList();
        client.send(
            1, OpCode.setWatches, new SetWatches(Long.MAX_VALUE, List.of(), paths, List.of()));
        client.flush();
        assertThat(client.receive().map(Packet::error)).hasValue(0);
      }

      long bytes = subject.liveHeapBytes() - before;
      report("watch", subject, bytes, WATCHES);
      assertThat(bytes / WATCHES).isLessThan(400);
      for (int i : new int[] {0, WATCHES / 2, WATCHES - 1}) {
        var creation =
            new CreateRequest(
                "/w" + i, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT.toFlag());
        writer.send(2, OpCode.create, creation);
        writer.flush();
        assertThat(writer.receive().map(Packet::error)).hasValue(0);
        assertThat(client.receive()).hasValueSatisfying(e -> assertThat(e.isEvent()).isTrue());
      }
    }
  }
}
