package corfu.zookeeper.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.server.NIOServerCnxn;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.NIOServerCnxnFactory.SelectorThread;
import org.apache.zookeeper.server.ZooKeeperServer;

/**
 * ZooKeeper's connection with a bound on the replies that its client has not read. Beyond a
 * threshold the connection reads no further requests. Watch events cannot wait, so beyond a larger
 * one it closes.
 */
final class BoundedConnection extends NIOServerCnxn {

  /** No further requests are read while the unread replies have more bytes. */
  static final int MAX_UNREAD_BYTES = 4 << 20;

  /** A client that leaves more bytes unread loses its connection. */
  static final long CLOSE_UNREAD_BYTES = 64 << 20;

  private final Queue<Long> packetBytes = new ConcurrentLinkedQueue<>();
  private final AtomicLong unreadBytes = new AtomicLong();
  private volatile boolean wantsRequests = true;

  BoundedConnection(
      ZooKeeperServer server,
      SocketChannel socket,
      SelectionKey key,
      NIOServerCnxnFactory factory,
      SelectorThread selector)
      throws IOException {
    super(server, socket, key, factory, selector);
  }

  @Override
  public void sendBuffer(ByteBuffer... buffers) {
    long bytes = 0;
    for (ByteBuffer buffer : buffers) {
      bytes += buffer.remaining();
    }
    packetBytes.add(bytes);
    long unread = unreadBytes.addAndGet(bytes);
    super.sendBuffer(buffers);
    if (unread > CLOSE_UNREAD_BYTES) {
      close(DisconnectReason.CLIENT_RATE_LIMIT);
    } else if (unread > MAX_UNREAD_BYTES) {
      super.disableRecv(false);
      receiveIfRead(); // it may all have left meanwhile
    }
  }

  /** A packet has left. */
  @Override
  protected void packetSent() {
    super.packetSent();
    Long bytes = packetBytes.poll();
    if (bytes != null) {
      unreadBytes.addAndGet(-bytes);
      receiveIfRead();
    }
  }

  private void receiveIfRead() {
    if (wantsRequests && unreadBytes.get() <= MAX_UNREAD_BYTES) {
      super.enableRecv();
    }
  }

  @Override
  public void disableRecv(boolean wait) {
    wantsRequests = false;
    super.disableRecv(wait);
  }

  @Override
  public void enableRecv() {
    wantsRequests = true;
    receiveIfRead();
  }
}
