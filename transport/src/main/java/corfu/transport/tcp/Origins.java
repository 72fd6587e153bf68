package corfu.transport.tcp;

import corfu.protocol.message.Origin;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Tells clients apart by their hosts: a client may open as many connections as it likes, and stays
 * one origin. All clients of the server's own machine have one address, so there each connection is
 * an origin.
 */
final class Origins {

  private Origins() {}

  /**
   * Returns the origin of requests from this address.
   *
   * @param remote null where the connection has ended
   */
  static Origin of(@Nullable SocketAddress remote) {
    return remote instanceof InetSocketAddress peer && peer.getAddress() != null
        ? of(peer)
        : Origin.UNKNOWN;
  }

  private static Origin of(InetSocketAddress peer) {
    String host = peer.getAddress().getHostAddress();
    return new Origin(peer.getAddress().isLoopbackAddress() ? host + ":" + peer.getPort() : host);
  }
}
