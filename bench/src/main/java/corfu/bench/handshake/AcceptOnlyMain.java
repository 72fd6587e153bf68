package corfu.bench.handshake;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;

/**
 * A server that accepts connections and reads nothing. A flood of it costs the machine what a flood
 * of connections costs, and no server of a log anything.
 *
 * <p>It prints its port, and ends when its standard input ends.
 */
public final class AcceptOnlyMain {

  private static final int BACKLOG = 1024;

  private AcceptOnlyMain() {}

  /** Starts the server. */
  public static void main(String[] arguments) throws IOException {
    try (var listening = ServerSocketChannel.open()) {
      listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
      System.out.println(listening.socket().getLocalPort());
      HandshakeFloodMain.haltAtEndOfInput();
      var connections = new RecentConnections();
      while (true) {
        connections.add(listening.accept());
      }
    }
  }
}
