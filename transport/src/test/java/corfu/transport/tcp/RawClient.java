package corfu.transport.tcp;

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

/** A client that sends any bytes that a test wants. */
final class RawClient implements AutoCloseable {

  private final Socket socket;
  private final DataInputStream in;

  RawClient(Endpoint endpoint) throws IOException {
    socket = new Socket(endpoint.host(), endpoint.port());
    socket.setSoTimeout(60_000);
    socket.setTcpNoDelay(true);
    in = new DataInputStream(socket.getInputStream());
  }

  static byte[] bytes(Message message, long requestId) {
    return bytes(message, requestId, 1);
  }

  static byte[] bytes(Message message, long requestId, int version) {
    HeapWriter out = new HeapWriter();
    FrameCodec.encode(message, requestId, version, out);
    ByteBuffer frame = out.finish();
    byte[] bytes = new byte[frame.remaining()];
    frame.get(bytes);
    return bytes;
  }

  /** Greets like a client of the first release. */
  RawClient greet() throws IOException {
    return greet(1);
  }

  RawClient greet(int newestVersion) throws IOException {
    send(bytes(new Hello(1, newestVersion, Optional.empty()), 1));
    receive();
    return this;
  }

  void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  void endOutput() throws IOException {
    socket.shutdownOutput();
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

  /** Closes the connection at once, even while another thread sends. */
  void breakOff() throws IOException {
    socket.close();
  }

  /** Waits until the server has closed the connection. Returns false if it does not. */
  boolean isClosedByServer() {
    try {
      while (in.read() >= 0) {
        // bytes that were still in flight
      }
      return true;
    } catch (SocketTimeoutException e) {
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
