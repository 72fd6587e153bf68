package corfu.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.message.NodeReply.Welcome;
import corfu.protocol.message.Reply;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.world.RealWorld;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A call whose server answers with arbitrary bytes. */
class LoneConnectionTest {

  private static final SequencerRequest TAIL = new SequencerRequest.AskTail(new Epoch(1));
  private static final int MAX_FRAME_BYTES = 1 << 16;
  private static final byte[] NOTHING = new byte[0];

  private final RealWorld world = new RealWorld();
  private final ServerSocket server;

  LoneConnectionTest() throws IOException {
    server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws IOException {
    server.close();
    world.close();
  }

  @Test
  void aReplyIsGivenAlsoWhereItComesByteByByte() throws IOException {
    assertThat(call(RawClient.bytes(new SequencerReply.Tail(7), 2)))
        .isEqualTo(new SequencerReply.Tail(7));
  }

  @Test
  void aReplyToSomethingElseIsNone() {
    assertThatThrownBy(() -> call(RawClient.bytes(new SequencerReply.Tail(7), 3)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no reply");
  }

  @Test
  void aRequestIsNoReply() {
    assertThatThrownBy(() -> call(RawClient.bytes(TAIL, 2)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no reply");
  }

  @Test
  void aFrameThatIsTooLargeOrTooSmallToBeOneIsRefusedBeforeItIsRead() {
    for (int length : new int[] {MAX_FRAME_BYTES + 1, Integer.MAX_VALUE, -1, 0, 23}) {
      assertThatThrownBy(() -> call(length(length)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(String.valueOf(length));
    }
  }

  @Test
  void bytesThatAreNoMessageAreNoReply() {
    byte[] garbage = ByteBuffer.allocate(64).put(length(64)).put((byte) 0x7f).array();

    assertThatThrownBy(() -> call(garbage))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no reply");
  }

  @Test
  void anEndInTheMiddleOfAReplyIsTold() {
    byte[] reply = RawClient.bytes(new SequencerReply.Tail(7), 2);

    assertThatThrownBy(() -> call(Arrays.copyOf(reply, reply.length - 1)))
        .isInstanceOf(EOFException.class);
  }

  @Test
  void silenceEndsAtTheDeadline() throws IOException {
    try (LoneConnection connection = connect(NOTHING, true)) {
      connection.send(TAIL);
      assertThatThrownBy(
              () -> connection.receive(world.nanoTime() + Duration.ofMillis(20).toNanos()))
          .isInstanceOf(SocketTimeoutException.class);
    }
  }

  private Reply call(byte[] answer) throws IOException {
    try (LoneConnection connection = connect(answer, false)) {
      connection.send(TAIL);
      return connection.receive(world.nanoTime() + Duration.ofSeconds(30).toNanos());
    }
  }

  /** Connects to a server that welcomes every client and then sends this answer. */
  private LoneConnection connect(byte[] answer, boolean staysOpen) throws IOException {
    world.start("server", () -> serve(answer, staysOpen));
    return LoneConnection.open(
        new Endpoint("127.0.0.1", server.getLocalPort()),
        Optional.empty(),
        MAX_FRAME_BYTES,
        world::nanoTime,
        Optional.empty());
  }

  private void serve(byte[] answer, boolean staysOpen) {
    try (Socket client = server.accept()) {
      client.setTcpNoDelay(true);
      readFrame(client);
      client
          .getOutputStream()
          .write(RawClient.bytes(new Welcome(1, Optional.empty(), "scripted"), 1));
      readFrame(client);
      for (byte one : answer) {
        client.getOutputStream().write(one);
      }
      if (staysOpen) {
        readFrame(client); // the end
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void readFrame(Socket client) throws IOException {
    byte[] head = client.getInputStream().readNBytes(Integer.BYTES);
    if (head.length == Integer.BYTES) {
      int length = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN).getInt();
      client.getInputStream().skipNBytes(length - Integer.BYTES);
    }
  }

  private static byte[] length(int length) {
    return ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(length).array();
  }
}
