package corfu.nbd.internal.session;

import io.netty.buffer.ByteBuf;

/**
 * The way to one client, in order. A session uses it on its own thread only. Bytes leave at the end
 * of the thread's turn, those of all replies of the turn together.
 */
public interface ClientLink {

  /** Returns the buffer to which the next small pieces are appended; valid until the next call. */
  ByteBuf out();

  /** Returns a buffer for data that a device reads. The caller sends or releases it. */
  ByteBuf buffer(int bytes);

  /** Sends data behind everything before, without a copy if they are large, and releases them. */
  void send(ByteBuf data);

  /**
   * Counts a reply. {@link NbdSession#sent} is told after the socket has accepted all its bytes, or
   * never will.
   *
   * @param bytes the number of bytes that were reserved for the request
   */
  void replied(long bytes);

  /** Sends everything before in the clear, and begins TLS. Unread bytes of the client are lost. */
  void startTls();

  /** Lets the session process bytes that it has left, and reads on. */
  void proceed();

  /** Sends everything before, and closes the connection. */
  void close();

  /** Returns the client's address, for people. */
  String client();
}
