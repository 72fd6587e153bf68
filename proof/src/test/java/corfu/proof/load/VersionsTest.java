package corfu.proof.load;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.message.Failure;
import corfu.protocol.message.NodeReply.Welcome;
import corfu.protocol.message.NodeRequest.AskStatus;
import corfu.protocol.wire.Frame;
import corfu.protocol.wire.FrameCodec;
import corfu.world.RealWorld;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The replies of a server of this version to clients of other versions. */
@Timeout(120)
class VersionsTest {

  private static final int NEXT = FrameCodec.NEWEST_VERSION + 1;
  private static final RealWorld WORLD = new RealWorld();
  @TempDir private static Path home;
  private static ServerUnderLoad server;

  @BeforeAll
  static void start() throws IOException {
    server = new ServerUnderLoad(WORLD, home);
  }

  @AfterAll
  static void stop() {
    server.close();
    WORLD.close();
  }

  private static ByteBuffer asked(int requestId) {
    return ByteBuffer.wrap(RawConnection.bytes(new AskStatus(), requestId))
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  @Test
  void aClientThatAlsoSpeaksANewerVersionIsWelcomedInThisOne() throws IOException {
    isWelcomed(1, NEXT + 5, FrameCodec.NEWEST_VERSION);
  }

  @Test
  void aClientOfAnEarlierVersionIsWelcomedInItsOwn() throws IOException {
    for (int version = FrameCodec.OLDEST_VERSION; version < NEXT; version++) {
      isWelcomed(1, version, version);
    }
  }

  private static void isWelcomed(int oldest, int newest, int agreed) throws IOException {
    try (RawConnection client = new RawConnection(server.endpoint()).greet(oldest, newest)) {
      Frame reply = client.receive();
      assertThat(reply.version()).isEqualTo(1);
      assertThat(reply.message())
          .isInstanceOfSatisfying(
              Welcome.class, welcome -> assertThat(welcome.version()).isEqualTo(agreed));
      client.send(RawConnection.bytes(new AskStatus(), 2, agreed));
      Frame status = client.receive();
      assertThat(status.requestId()).isEqualTo(2);
      assertThat(status.version()).isEqualTo(agreed);
    }
  }

  @Test
  void aClientThatSpeaksOnlyNewerVersionsIsToldWhichThisServerSpeaks() throws IOException {
    try (RawConnection client = new RawConnection(server.endpoint()).greet(NEXT, NEXT + 1)) {
      assertThat(client.receive().message())
          .isInstanceOfSatisfying(
              Failure.Refused.class,
              refused -> {
                assertThat(refused.cause()).isEqualTo(Failure.Cause.UNSUPPORTED_VERSION);
                assertThat(refused.reason()).contains(Integer.toString(FrameCodec.NEWEST_VERSION));
              });
      assertThat(client.isClosedByServer()).isTrue();
    }
  }

  @Test
  void aFrameOfANewerVersionIsRefused() throws IOException {
    ByteBuffer frame = asked(3).putShort(6, (short) NEXT);
    assertRefused(frame, Failure.Cause.UNSUPPORTED_VERSION, "version " + NEXT);
  }

  @Test
  void aMessageOfANewerVersionIsRefusedByItsNumber() throws IOException {
    ByteBuffer frame = asked(3).putShort(4, (short) 0x02ff);
    assertRefused(frame, Failure.Cause.UNKNOWN_TYPE, "0x2ff");
  }

  private static void assertRefused(ByteBuffer frame, Failure.Cause cause, String told)
      throws IOException {
    try (RawConnection client = new RawConnection(server.endpoint()).greet()) {
      assertThat(client.receive().message()).isInstanceOf(Welcome.class);
      client.send(frame.array());
      Frame reply = client.receive();
      assertThat(reply.requestId()).isEqualTo(3);
      assertThat(reply.message())
          .isInstanceOfSatisfying(
              Failure.Refused.class,
              refused -> {
                assertThat(refused.cause()).isEqualTo(cause);
                assertThat(refused.reason()).contains(told);
              });
      assertThat(client.isClosedByServer()).isTrue();
    }
  }
}
