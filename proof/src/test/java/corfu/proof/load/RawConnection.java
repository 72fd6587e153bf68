package corfu.proof.load;

import corfu.protocol.Endpoint;
import corfu.protocol.message.Message;
import corfu.protocol.message.NodeRequest.Hello;
import corfu.protocol.wire.Frame;
import corfu.protocol.wire.FrameCodec;
import corfu.protocol.wire.HeapWriter;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/** A connection on which a test can send any bytes. */
final class RawConnection implements AutoCloseable {

  private final Socket socket;
  private final DataInputStream in;

  RawConnection(Endpoint server) throws IOException {
    socket = new Socket(server.host(), server.port());
    socket.setSoTimeout(30_000);
    in = new DataInputStream(socket.getInputStream());
  }

  static byte[] bytes(Message message, long requestId) {
    return bytes(message, requestId, FrameCodec.OLDEST_VERSION);
  }

  static byte[] bytes(Message message, long requestId, int version) {
    HeapWriter out = new HeapWriter();
    FrameCodec.encode(message, requestId, version, out);
    ByteBuffer frame = out.finish();
    byte[] bytes = new byte[frame.remaining()];
    frame.get(bytes);
    return bytes;
  }

  /** Sends the greeting of a client of the first release. */
  RawConnection greet() throws IOException {
    return greet(FrameCodec.OLDEST_VERSION, FrameCodec.OLDEST_VERSION);
  }

  RawConnection greet(int oldestVersion, int newestVersion) throws IOException {
    send(bytes(new Hello(oldestVersion, newestVersion, Optional.empty()), 1));
    return this;
  }

  void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  Frame receive() throws IOException {
    byte[] length = new byte[4];
    in.readFully(length);
    int total = ByteBuffer.wrap(length).order(ByteOrder.LITTLE_ENDIAN).getInt();
    byte[] frame = new byte[total];
    System.arraycopy(length, 0, frame, 0, 4);
    in.readFully(frame, 4, total - 4);
    return FrameCodec.decode(ByteBuffer.wrap(frame));
  }

  /** Returns whether the server closes the connection. Waits for that, at most half a minute. */
  boolean isClosedByServer() throws IOException {
    try {
      while (in.read() >= 0) {
        // bytes that were already on their way
      }
      return true;
    } catch (SocketTimeoutException open) {
      return false;
    } catch (IOException reset) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
