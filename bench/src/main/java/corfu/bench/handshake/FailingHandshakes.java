package corfu.bench.handshake;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.GeneralSecurityException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/**
 * Connections whose handshakes fail as late as a client without a certificate can make them fail:
 * the server has to answer a correct hello, with its signature, and cannot decrypt what follows.
 * Not thread-safe.
 */
final class FailingHandshakes {

  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** A record of encrypted data, whose key nobody has. */
  private static final byte[] UNDECRYPTABLE = record();

  private final InetSocketAddress target;
  private final ByteBuffer bytes;
  private final RecentConnections connections = new RecentConnections();
  private long attempts;
  private long accepted;

  /**
   * @param hello the first message of a handshake
   */
  FailingHandshakes(InetSocketAddress target, byte[] hello) {
    this.target = target;
    this.bytes = ByteBuffer.allocateDirect(hello.length + UNDECRYPTABLE.length);
    bytes.put(hello).put(UNDECRYPTABLE).flip();
  }

  private static byte[] record() {
    byte[] record = new byte[5 + 64];
    record[0] = 23; // application data
    record[1] = 3;
    record[2] = 3;
    record[4] = 64;
    return record;
  }

  /** Returns the hello of a client of TLS 1.3. */
  static byte[] hello() throws GeneralSecurityException, SSLException {
    SSLEngine engine = SSLContext.getDefault().createSSLEngine();
    engine.setUseClientMode(true);
    engine.setEnabledProtocols(new String[] {"TLSv1.3"});
    ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    var unused = engine.wrap(ByteBuffer.allocate(0), hello);
    byte[] bytes = new byte[hello.flip().remaining()];
    hello.get(bytes);
    return bytes;
  }

  /** Begins this many handshakes a second, for this long. */
  void run(int perSecond, long millis) throws IOException {
    long start = System.nanoTime();
    long length = TimeUnit.MILLISECONDS.toNanos(millis);
    for (long age = 0; age < length; age = System.nanoTime() - start) {
      long due = age * perSecond / TimeUnit.SECONDS.toNanos(1);
      if (attempts < due) {
        attempt();
      } else {
        LockSupport.parkNanos(TICK_NANOS);
      }
    }
    connections.closeAll();
  }

  /** Does not wait: a full queue of the server must not slow down the flood. */
  private void attempt() throws IOException {
    attempts++;
    SocketChannel connection = SocketChannel.open();
    connection.configureBlocking(false);
    try {
      if (connection.connect(target) || connection.finishConnect()) {
        connection.write(bytes.duplicate());
        accepted++;
      }
    } catch (IOException refused) {
      // the server may refuse or reset at any time
    }
    connections.add(connection);
  }

  long attempts() {
    return attempts;
  }

  long accepted() {
    return accepted;
  }
}
