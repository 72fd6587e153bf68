package corfu.bench.handshake;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;

/**
 * The newest connections of one side. The oldest is closed when there are too many. Not
 * thread-safe.
 */
final class RecentConnections {

  /** Enough that a server has time for the handshake of each, and few for a process. */
  private static final int MOST = 512;

  private final ArrayDeque<SocketChannel> open = new ArrayDeque<>();

  /**
   * Keeps one more connection. It will be reset and not shut down, because closed connections would
   * use up the ports of the machine for a minute.
   */
  void add(SocketChannel connection) throws IOException {
    connection.setOption(StandardSocketOptions.SO_LINGER, 0);
    open.add(connection);
    if (open.size() > MOST) {
      open.remove().close();
    }
  }

  void closeAll() throws IOException {
    while (!open.isEmpty()) {
      open.remove().close();
    }
  }
}
