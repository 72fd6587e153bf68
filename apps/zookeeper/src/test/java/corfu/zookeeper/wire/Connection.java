package corfu.zookeeper.wire;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Optional;
import org.apache.jute.BinaryInputArchive;
import org.apache.jute.BinaryOutputArchive;
import org.apache.jute.Record;
import org.apache.zookeeper.proto.ConnectRequest;
import org.apache.zookeeper.proto.ConnectResponse;
import org.apache.zookeeper.proto.RequestHeader;

/** One TCP connection to a server. Not thread-safe. */
public final class Connection implements AutoCloseable {

  /** The longest silence of a server that has something to answer. */
  private static final int SILENCE_MILLIS = 60_000;

  private static final int PATIENCE_FOR_END_MILLIS = 10_000;

  private static final int BUFFER_BYTES = 1 << 16;

  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;

  /**
   * Connects to a port of the loopback address.
   *
   * @throws IOException if nothing listens there
   */
  public Connection(int port) throws IOException {
    this(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  /**
   * Uses a socket, and closes it.
   *
   * @throws IOException if the socket is not connected
   */
  public Connection(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(SILENCE_MILLIS);
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES));
    out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), BUFFER_BYTES));
  }

  /**
   * Creates or continues a session.
   *
   * @return the response, or nothing if the server closed the connection
   */
  public Optional<ConnectResponse> connect(ConnectRequest request) throws IOException {
    sendPacket(bytesOf(request));
    flush();
    Optional<byte[]> reply = receivePacket();
    if (reply.isEmpty()) {
      return Optional.empty();
    }
    var response = new ConnectResponse();
    var bytes = new ByteArrayInputStream(reply.get());
    response.deserialize(BinaryInputArchive.getArchive(bytes), "response");
    return Optional.of(response);
  }

  /** Creates a session with the timeout in milliseconds. */
  public ConnectResponse connect(int timeout) throws IOException {
    return connect(new ConnectRequest(0, 0, timeout, 0, new byte[16], false))
        .orElseThrow(() -> new EOFException("The server closed a new connection"));
  }

  /**
   * Adds a request to the buffer. It leaves with {@link #flush} at the latest.
   *
   * @param operation the operation code
   * @param body the record after the header
   */
  public void send(int xid, int operation, Record body) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var archive = BinaryOutputArchive.getArchive(bytes);
    new RequestHeader(xid, operation).serialize(archive, "header");
    body.serialize(archive, "request");
    sendPacket(bytes.toByteArray());
  }

  /** Sends a request that makes the server close the connection, perhaps before it has read all. */
  public void sendRefused(int xid, int operation, Record body) throws IOException {
    try {
      send(xid, operation, body);
      flush();
    } catch (SocketException closed) {
      if (!String.valueOf(closed.getMessage()).matches("(?i).*(broken pipe|reset).*")) {
        throw closed;
      }
    }
  }

  /** Adds a packet with its length to the buffer. */
  public void sendPacket(byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  /** Adds bytes without a length to the buffer. */
  public void sendBytes(byte[] bytes) throws IOException {
    out.write(bytes);
  }

  /** Sends the content of the buffer. */
  public void flush() throws IOException {
    out.flush();
  }

  /** Returns the next reply or watch event, or nothing if the server has closed the connection. */
  public Optional<Packet> receive() throws IOException {
    Optional<byte[]> bytes = receivePacket();
    return bytes.isEmpty() ? Optional.empty() : Optional.of(Packet.of(bytes.get()));
  }

  /**
   * Waits until the server closes the connection, and drops all that arrives before.
   *
   * @return whether the server closed it; otherwise it did nothing for 10 seconds
   */
  public boolean awaitEnd() throws IOException {
    socket.setSoTimeout(PATIENCE_FOR_END_MILLIS);
    try {
      in.skipNBytes(Long.MAX_VALUE);
      return true;
    } catch (EOFException | SocketException e) {
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    } finally {
      socket.setSoTimeout(SILENCE_MILLIS);
    }
  }

  /** Returns all bytes until the server closes the connection. */
  public byte[] receiveAll() throws IOException {
    try {
      return in.readAllBytes();
    } catch (SocketException e) {
      return new byte[0]; // A reset is another way to close.
    }
  }

  private Optional<byte[]> receivePacket() throws IOException {
    try {
      byte[] bytes = new byte[in.readInt()];
      in.readFully(bytes);
      return Optional.of(bytes);
    } catch (EOFException | SocketException e) {
      return Optional.empty();
    } catch (SocketTimeoutException e) {
      throw new IOException("No reply within " + SILENCE_MILLIS + " ms", e);
    }
  }

  private static byte[] bytesOf(Record record) throws IOException {
    var bytes = new ByteArrayOutputStream();
    record.serialize(BinaryOutputArchive.getArchive(bytes), "record");
    return bytes.toByteArray();
  }

  /** Closes the socket without a goodbye to the session. */
  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new AssertionError("A socket of the loopback address does not close", e);
    }
  }
}
