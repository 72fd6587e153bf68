package org.apache.zookeeper.server;

import java.nio.ByteBuffer;
import org.jspecify.annotations.NullMarked;

/**
 * A connection whose package-private methods are open to other packages, so that a test can have
 * connections without sockets.
 */
@NullMarked
public abstract class SocketlessConnection extends ServerCnxn {

  private final ZooKeeperServer server;

  protected SocketlessConnection(ZooKeeperServer server) {
    super(server);
    this.server = server;
  }

  /** Sends bytes to the client, or closes the connection behind the bytes sent before. */
  protected abstract void send(ByteBuffer bytes);

  /** The client's requests are welcome. */
  protected abstract void receive();

  /** The client's requests must wait. */
  protected abstract void refrain();

  /** Sets the session, which has begun on this connection. */
  protected abstract void begin(long session);

  /** Sets the agreed timeout. */
  protected abstract void agree(int timeoutMillis);

  /** Returns the agreed timeout in milliseconds. */
  protected abstract int agreedTimeoutMillis();

  /** Forgets the watches and the session of this connection. Called once, when it closes. */
  protected final void forget() {
    server.removeCnxn(this);
  }

  /** Whether a buffer asks to close the connection. */
  protected static boolean isClose(ByteBuffer bytes) {
    return bytes == ServerCnxnFactory.closeConn;
  }

  @Override
  final int getSessionTimeout() {
    return agreedTimeoutMillis();
  }

  @Override
  final void setSessionId(long sessionId) {
    begin(sessionId);
  }

  @Override
  final void sendBuffer(ByteBuffer... buffers) {
    for (ByteBuffer one : buffers) {
      send(one);
    }
  }

  @Override
  final void enableRecv() {
    receive();
  }

  @Override
  final void disableRecv(boolean waitDisableRecv) {
    refrain();
  }

  @Override
  final void setSessionTimeout(int sessionTimeout) {
    agree(sessionTimeout);
  }
}
