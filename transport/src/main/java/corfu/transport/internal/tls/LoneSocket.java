package corfu.transport.internal.tls;

import java.io.IOException;
import java.net.Socket;

/** A blocking socket, plain or encrypted. For one thread at a time, except {@link #close}. */
public interface LoneSocket extends AutoCloseable {

  /**
   * Reads some bytes.
   *
   * @param timeoutMillis the longest time to wait for the network, 1 or more
   * @return the number of bytes; 0 if what arrived were no bytes for the reader; -1 at the end
   * @throws java.net.SocketTimeoutException if nothing arrives in that time
   */
  int read(byte[] to, int at, int length, int timeoutMillis) throws IOException;

  /** Writes all these bytes. */
  void write(byte[] from, int at, int length) throws IOException;

  /** Any thread may call this: a thread that reads stops waiting. */
  @Override
  void close();

  /** Returns a connected socket as it is. */
  static LoneSocket plain(Socket socket) throws IOException {
    var in = socket.getInputStream();
    var out = socket.getOutputStream();
    return new LoneSocket() {
      @Override
      public int read(byte[] to, int at, int length, int timeoutMillis) throws IOException {
        socket.setSoTimeout(timeoutMillis);
        return in.read(to, at, length);
      }

      @Override
      public void write(byte[] from, int at, int length) throws IOException {
        out.write(from, at, length);
      }

      @Override
      public void close() {
        closeQuietly(socket);
      }
    };
  }

  /** Closes a socket that is not used any more, whatever its state. */
  static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // the socket is unusable in either case
    }
  }
}
