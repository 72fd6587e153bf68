package corfu.transport.tcp;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.message.Message;
import corfu.protocol.message.NodeReply.Welcome;
import corfu.protocol.message.NodeRequest.Hello;
import corfu.protocol.message.Reply;
import corfu.protocol.wire.Frame;
import corfu.protocol.wire.FrameCodec;
import corfu.protocol.wire.HeapWriter;
import corfu.protocol.wire.MalformedFrameException;
import corfu.transport.internal.Standstill;
import corfu.transport.internal.tls.EncryptedSocket;
import corfu.transport.internal.tls.LoneSocket;
import corfu.transport.tls.TlsCredentials;
import io.netty.buffer.ByteBufAllocator;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A connection without a loop: the thread that waits for a reply sends the request and reads the
 * reply itself, one call at a time. A call wakes no other thread of the client. For one thread at a
 * time. After any exception, the connection is unusable.
 */
final class LoneConnection implements AutoCloseable {

  private static final int USUAL_REPLY_BYTES = 4 << 10;

  private final LoneSocket socket;
  private final Optional<ClusterId> cluster;
  private final int maxFrameBytes;
  private final LongSupplier nanoTime;
  private final byte[] usual = new byte[USUAL_REPLY_BYTES];
  private int version = FrameCodec.OLDEST_VERSION;
  private long lastId;

  /** The number of bytes of the next reply that are in {@code usual} already. */
  private int begun;

  private LoneConnection(
      LoneSocket socket, Optional<ClusterId> cluster, int maxFrameBytes, LongSupplier nanoTime) {
    this.socket = socket;
    this.cluster = cluster;
    this.maxFrameBytes = maxFrameBytes;
    this.nanoTime = nanoTime;
  }

  /**
   * Connects, and blocks until the server has welcomed the connection.
   *
   * @param endpoint the server's endpoint
   * @param cluster the expected cluster, or empty for any
   * @param maxFrameBytes the largest frame in bytes
   * @param nanoTime the clock
   * @param tls the TLS of the connection; empty for a plain one
   */
  static LoneConnection open(
      Endpoint endpoint,
      Optional<ClusterId> cluster,
      int maxFrameBytes,
      LongSupplier nanoTime,
      Optional<TlsCredentials> tls)
      throws IOException {
    LoneSocket socket = connect(endpoint, nanoTime, tls);
    try {
      var connection = new LoneConnection(socket, cluster, maxFrameBytes, nanoTime);
      connection.greet();
      return connection;
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  private static LoneSocket connect(
      Endpoint endpoint, LongSupplier nanoTime, Optional<TlsCredentials> tls) throws IOException {
    Socket socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.setKeepAlive(true);
      socket.connect(
          new InetSocketAddress(endpoint.host(), endpoint.port()), TcpTransport.CONNECT_MILLIS);
      return tls.isPresent()
          ? secure(socket, endpoint, nanoTime, tls.get())
          : LoneSocket.plain(socket);
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  private static LoneSocket secure(
      Socket socket, Endpoint endpoint, LongSupplier nanoTime, TlsCredentials credentials)
      throws IOException {
    long deadline =
        nanoTime.getAsLong() + TimeUnit.MILLISECONDS.toNanos(TcpTransport.CONNECT_MILLIS);
    EncryptedSocket encrypted =
        EncryptedSocket.open(
            socket,
            credentials.clientEngine(ByteBufAllocator.DEFAULT, endpoint),
            deadline,
            nanoTime);
    try {
      var unused = credentials.server(encrypted.engine(), endpoint.host());
      return encrypted;
    } catch (IOException | RuntimeException e) {
      encrypted.close();
      throw e;
    }
  }

  private void greet() throws IOException {
    Hello hello = new Hello(FrameCodec.OLDEST_VERSION, FrameCodec.NEWEST_VERSION, cluster);
    long patience = TimeUnit.MILLISECONDS.toNanos(TcpTransport.CONNECT_MILLIS);
    send(hello);
    Reply reply = receive(nanoTime.getAsLong() + patience);
    if (reply instanceof Welcome welcome && isMeant(welcome)) {
      version = welcome.version();
    } else {
      throw new IOException("the handshake was answered with " + reply);
    }
  }

  private boolean isMeant(Welcome welcome) {
    return welcome.version() >= FrameCodec.OLDEST_VERSION
        && welcome.version() <= FrameCodec.NEWEST_VERSION
        && (cluster.isEmpty() || welcome.cluster().equals(cluster));
  }

  /** Returns the expected cluster that the handshake named. */
  Optional<ClusterId> cluster() {
    return cluster;
  }

  /** Sends a request, which must be small enough for the socket to accept it without waiting. */
  void send(Message request) throws IOException {
    HeapWriter writer = new HeapWriter();
    FrameCodec.encode(request, ++lastId, version, writer);
    ByteBuffer frame = writer.finish();
    socket.write(frame.array(), frame.arrayOffset(), frame.limit());
  }

  /**
   * Waits for the reply to the last request.
   *
   * @throws IOException if there is no reply by the deadline; the server may have acted all the
   *     same
   */
  Reply receive(long deadlineNanos) throws IOException {
    try {
      Frame reply = FrameCodec.decode(readFrame(deadlineNanos));
      if (reply.requestId() == lastId
          && reply.version() == version
          && reply.message() instanceof Reply answer) {
        return answer;
      }
      throw new IOException(
          "it sent a message that is no reply to the request: " + reply.message());
    } catch (MalformedFrameException e) {
      throw new IOException("it sent bytes that are no reply: " + e.getMessage(), e);
    }
  }

  /**
   * Returns whether the reply has begun to arrive, or can no longer arrive. Waits for no longer
   * than the patience.
   *
   * @param patienceNanos the waiting time in nanoseconds; rounded up to a millisecond, at least one
   */
  boolean isAnswered(long patienceNanos) {
    try {
      begun += read(usual, begun, nanoTime.getAsLong() + patienceNanos);
      return true;
    } catch (SocketTimeoutException notYet) {
      return false;
    } catch (IOException broken) {
      return true; // receive() will report the failure
    }
  }

  private ByteBuffer readFrame(long deadlineNanos) throws IOException {
    int have = begun;
    begun = 0;
    while (have < Integer.BYTES) {
      have += read(usual, have, deadlineNanos);
    }
    int length = FrameCodec.claimedLength(ByteBuffer.wrap(usual, 0, have));
    if (length < Math.max(have, FrameCodec.HEADER_BYTES) || length > maxFrameBytes) {
      throw new IOException("it sent a frame that claims " + length + " bytes");
    }
    byte[] frame = Arrays.copyOf(usual, length); // the caller owns the reply's entries
    if (length > usual.length) {
      System.arraycopy(usual, 0, frame, 0, have);
    }
    while (have < length) {
      have += read(frame, have, deadlineNanos);
    }
    return ByteBuffer.wrap(frame);
  }

  private int read(byte[] to, int have, long deadlineNanos) throws IOException {
    int count;
    try {
      count = readBy(deadlineNanos, to, have);
    } catch (SocketTimeoutException late) {
      long now = nanoTime.getAsLong();
      if (!Standstill.isOver(deadlineNanos, now)) {
        throw late;
      }
      count = readBy(now + Standstill.MOMENT_NANOS, to, have);
    }
    if (count < 0) {
      throw new EOFException("it closed the connection");
    }
    return count;
  }

  private int readBy(long deadlineNanos, byte[] to, int have) throws IOException {
    long left = deadlineNanos - nanoTime.getAsLong();
    int millis = (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(left + 999_999));
    return socket.read(to, have, to.length - have, millis);
  }

  /** Any thread may call this: a thread that waits for a reply stops waiting. */
  @Override
  public void close() {
    socket.close();
  }
}
