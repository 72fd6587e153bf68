package corfu.zookeeper.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.world.Eventually;
import corfu.zookeeper.subject.Subject;
import corfu.zookeeper.subject.SubjectOptions;
import corfu.zookeeper.subject.Subjects;
import corfu.zookeeper.wire.Connection;
import corfu.zookeeper.wire.Packet;
import corfu.zookeeper.wire.RawBytes;
import corfu.zookeeper.wire.RawMulti;
import corfu.zookeeper.wire.RawMulti.Part;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.jute.Record;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.MultiResponse;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.proto.ConnectRequest;
import org.apache.zookeeper.proto.ConnectResponse;
import org.apache.zookeeper.proto.CreateRequest;
import org.apache.zookeeper.proto.GetChildrenRequest;
import org.apache.zookeeper.proto.GetChildrenResponse;
import org.apache.zookeeper.proto.GetDataRequest;
import org.apache.zookeeper.proto.GetDataResponse;
import org.apache.zookeeper.proto.SetWatches;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that send nonsense, or too much. The expectations are the answers of ZooKeeper. */
class BadInputTest {

  /** The default of {@code jute.maxbuffer}: the longest packet that a server reads. */
  private static final int MAX_PACKET_BYTES = 0xfffff;

  private static final int TIMEOUT_MILLIS = 60_000;
  private static final int XID = 7;

  @ParameterizedTest
  @MethodSource("corfu.zookeeper.subject.Subjects#tested")
  void garbageClosesItsConnectionOnly(Subjects subjects) throws Exception {
    try (Subject subject = subjects.start(SubjectOptions.DEFAULT);
        var before = new Connection(subject.port())) {
      before.connect(TIMEOUT_MILLIS);
      for (byte[] garbage :
          List.of(
              "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII),
              ByteBuffer.allocate(4).putInt(-1).array(),
              ByteBuffer.allocate(4).putInt(Integer.MAX_VALUE).array(),
              ByteBuffer.allocate(4).putInt(Integer.MIN_VALUE).array(),
              ByteBuffer.allocate(12).putInt(8).putInt(-1).putInt(-1).array())) {
        try (var client = new Connection(subject.port())) {
          client.sendBytes(garbage);
          client.flush();
          assertThat(client.receiveAll()).isEmpty();
        }
      }
      assertThat(call(before, OpCode.ping, RawBytes.NONE).error()).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("corfu.zookeeper.subject.Subjects#tested")
  void aPacketThatIsTooLongClosesTheConnectionAndLeavesTheSession(Subjects subjects)
      throws Exception {
    try (Subject subject = subjects.start(SubjectOptions.DEFAULT)) {
      ConnectResponse session;
      try (var client = new Connection(subject.port())) {
        session = client.connect(TIMEOUT_MILLIS);
        client.sendBytes(ByteBuffer.allocate(4).putInt(MAX_PACKET_BYTES + 1).array());
        client.flush();
        assertThat(client.receive()).isEmpty();
      }
      try (var again = new Connection(subject.port())) {
        assertThat(again.connect(continuing(session, session.getPasswd())))
            .map(ConnectResponse::getSessionId)
            .hasValue(session.getSessionId());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("corfu.zookeeper.subject.Subjects#tested")
  void theLongestPacketIsStored(Subjects subjects) throws Exception {
    try (Subject subject = subjects.start(SubjectOptions.DEFAULT);
        var client = new Connection(subject.port())) {
      client.connect(TIMEOUT_MILLIS);
      // The header, the path, the lengths, the access control list and the flags have 52 bytes.
      byte[] data = new byte[MAX_PACKET_BYTES - 52];
      assertThat(call(client, OpCode.create, creation("/long", data)).error()).isZero();
      Packet reply = call(client, OpCode.getData, new GetDataRequest("/long", false));
      assertThat(reply.read(new GetDataResponse()).getData()).isEqualTo(data);

      client.sendRefused(XID, OpCode.create, creation("/longer", data));
      assertThat(client.receive()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("corfu.zookeeper.subject.Subjects#tested")
  void aWrongPasswordDoesNotContinueASession(Subjects subjects) throws Exception {
    try (Subject subject = subjects.start(SubjectOptions.DEFAULT);
        var owner = new Connection(subject.port());
        var thief = new Connection(subject.port());
        var again = new Connection(subject.port())) {
      ConnectResponse session = owner.connect(TIMEOUT_MILLIS);

      Optional<ConnectResponse> stolen = thief.connect(continuing(session, new byte[16]));
      assertThat(stolen).map(ConnectResponse::getSessionId).hasValue(0L);
      assertThat(thief.receiveAll()).isEmpty();

      assertThat(again.connect(continuing(session, session.getPasswd())))
          .map(ConnectResponse::getSessionId)
          .hasValue(session.getSessionId());
    }
  }

  @ParameterizedTest
  @MethodSource("corfu.zookeeper.subject.Subjects#tested")
  void connectionsOfOneAddressAreLimited(Subjects subjects) throws Exception {
    int limit = 3;
    List<Connection> connections = new ArrayList<>();
    try (Subject subject = subjects.start(SubjectOptions.DEFAULT.withMaxConnections(limit))) {
      for (int i = 0; i < limit; i++) {
        var connection = new Connection(subject.port());
        connections.add(connection);
        connection.connect(TIMEOUT_MILLIS);
      }
      try (var surplus = new Connection(subject.port())) {
        assertThat(surplus.connect(newSession())).isEmpty();
      }

      connections.removeFirst().close();

      Eventually.eventually(
          () -> {
            try (var next = new Connection(subject.port())) {
              assertThat(next.connect(newSession())).isPresent();
            }
          });
      for (Connection connection : connections) {
        assertThat(call(connection, OpCode.ping, RawBytes.NONE).error()).isZero();
      }
    } finally {
      connections.forEach(Connection::close);
    }
  }

  @ParameterizedTest
  @MethodSource("corfu.zookeeper.subject.Subjects#tested")
  void aMultiMayHaveTenThousandOperations(Subjects subjects) throws Exception {
    int count = 10_000;
    try (Subject subject = subjects.start(SubjectOptions.DEFAULT);
        var client = new Connection(subject.port())) {
      client.connect(TIMEOUT_MILLIS);
      List<Part> parts =
          IntStream.range(0, count)
              .mapToObj(i -> new Part(OpCode.create, creation("/m" + i, new byte[0])))
              .toList();
      Packet reply = call(client, OpCode.multi, new RawMulti(parts));
      assertThat(reply.read(new MultiResponse()).getResultList()).hasSize(count);
      Packet children = call(client, OpCode.getChildren, new GetChildrenRequest("/", false));
      assertThat(children.read(new GetChildrenResponse()).getChildren()).hasSize(count + 1);
    }
  }

  /** ZooKeeper's client divides its watches. A client that does not loses its connection. */
  @ParameterizedTest
  @MethodSource("corfu.zookeeper.subject.Subjects#tested")
  void oneSetWatchesOfMoreThanAMegabyteClosesTheConnection(Subjects subjects) throws Exception {
    try (Subject subject = subjects.start(SubjectOptions.DEFAULT);
        var client = new Connection(subject.port())) {
      client.connect(TIMEOUT_MILLIS);
      List<String> paths = Collections.nCopies(11_000, "/" + "w".repeat(99));
      client.sendRefused(XID, OpCode.setWatches, new SetWatches(0, List.of(), paths, List.of()));
      assertThat(client.receive()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("corfu.zookeeper.subject.Subjects#tested")
  void aSetWatchesOfLessThanAMegabyteArmsEveryWatch(Subjects subjects) throws Exception {
    int count = 9_000;
    try (Subject subject = subjects.start(SubjectOptions.DEFAULT);
        var client = new Connection(subject.port());
        var writer = new Connection(subject.port())) {
      client.connect(TIMEOUT_MILLIS);
      writer.connect(TIMEOUT_MILLIS);
      String path = "/" + "w".repeat(99);
      List<String> paths = IntStream.range(0, count).mapToObj(i -> path + i).toList();
      Record body = new SetWatches(Long.MAX_VALUE, List.of(), paths, List.of());
      assertThat(call(client, OpCode.setWatches, body).error()).isZero();

      for (String each : List.of(paths.getFirst(), paths.get(count / 2), paths.getLast())) {
        call(writer, OpCode.create, creation(each, new byte[0]));
        assertThat(client.receive()).hasValueSatisfying(e -> assertThat(e.isEvent()).isTrue());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("corfu.zookeeper.subject.Subjects#tested")
  void aClientThatReadsLateGetsAllRepliesAndDelaysNobody(Subjects subjects) throws Exception {
    int count = 2_000;
    byte[] data = new byte[10_000];
    try (Subject subject = subjects.start(SubjectOptions.DEFAULT);
        var lazy = new Connection(subject.port());
        var other = new Connection(subject.port())) {
      lazy.connect(TIMEOUT_MILLIS);
      other.connect(TIMEOUT_MILLIS);
      call(lazy, OpCode.create, creation("/a", data));
      for (int i = 0; i < count; i++) {
        lazy.send(i, OpCode.getData, new GetDataRequest("/a", false));
      }
      lazy.flush();
      for (int i = 0; i < 100; i++) {
        Packet reply = call(other, OpCode.getData, new GetDataRequest("/a", false));
        assertThat(reply.error()).isZero();
      }
      for (int i = 0; i < count; i++) {
        int xid = i;
        assertThat(lazy.receive())
            .hasValueSatisfying(
                reply -> {
                  assertThat(reply.xid()).isEqualTo(xid);
                  assertThat(reply.body()).hasSizeGreaterThan(data.length);
                });
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {OpCode.notification, OpCode.check, OpCode.error, 10, 23, 108, 9999, -99})
  void anUnknownOperationOfATranslationServerGetsAnErrorAndNothingElse(int operation)
      throws Exception {
    try (Subject subject = Subjects.CORFU.start(SubjectOptions.DEFAULT);
        var client = new Connection(subject.port())) {
      client.connect(TIMEOUT_MILLIS);
      assertThat(call(client, operation, RawBytes.NONE).error())
          .isEqualTo(Code.UNIMPLEMENTED.intValue());
      assertThat(call(client, OpCode.ping, RawBytes.NONE).error()).isEqualTo(Code.OK.intValue());
    }
  }

  /** The session stays: its next connection continues it. */
  @Test
  void anUnknownOperationOfZooKeeperGetsAnErrorAndCostsTheConnection() throws Exception {
    try (Subject subject = Subjects.REAL.start(SubjectOptions.DEFAULT);
        var client = new Connection(subject.port());
        var again = new Connection(subject.port())) {
      ConnectResponse session = client.connect(TIMEOUT_MILLIS);
      Packet reply = call(client, 9999, RawBytes.NONE);
      assertThat(reply.error()).isEqualTo(Code.UNIMPLEMENTED.intValue());
      assertThat(client.receive()).isEmpty();
      assertThat(again.connect(continuing(session, session.getPasswd())))
          .map(ConnectResponse::getSessionId)
          .hasValue(session.getSessionId());
    }
  }

  @ParameterizedTest
  @MethodSource("corfu.zookeeper.subject.Subjects#tested")
  void fourLetterWordsAreAnswered(Subjects subjects) throws Exception {
    try (Subject subject = subjects.start(SubjectOptions.DEFAULT)) {
      assertThat(answer(subject, "ruok")).isEqualTo("imok");
      assertThat(answer(subject, "srvr")).contains("Zxid:", "Mode:", "Node count:");
      assertThat(answer(subject, "mntr")).contains("zk_znode_count");
      assertThat(answer(subject, "conf")).contains("clientPort=");
      assertThat(answer(subject, "cons")).isNotEmpty();
      assertThat(answer(subject, "wchs")).contains("Total watches:0");
    }
  }

  private static String answer(Subject subject, String word) throws IOException {
    try (var client = new Connection(subject.port())) {
      client.sendBytes(word.getBytes(US_ASCII));
      client.flush();
      return new String(client.receiveAll(), US_ASCII);
    }
  }

  private static ConnectRequest newSession() {
    return new ConnectRequest(0, 0, TIMEOUT_MILLIS, 0, new byte[16], false);
  }

  private static ConnectRequest continuing(ConnectResponse session, byte[] password) {
    return new ConnectRequest(0, 0, TIMEOUT_MILLIS, session.getSessionId(), password, false);
  }

  private static CreateRequest creation(String path, byte[] data) {
    return new CreateRequest(path, data, Ids.OPEN_ACL_UNSAFE, 0);
  }

  private static Packet call(Connection connection, int operation, Record body) throws IOException {
    connection.send(XID, operation, body);
    connection.flush();
    return connection
        .receive()
        .orElseThrow(() -> new IOException("The server closed the connection"));
  }
}
