package corfu.transport.tcp;

import corfu.protocol.message.RequestOrigin;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes clients by their hosts: a client with any number of connections stays one origin.
 * All clients on the server's own machine have one address, so there each connection is an origin.
 */
final class RequestOrigins {

  private RequestOrigins() {}

  /**
   * Returns the origin of requests from this address.
   *
   * @param remote the client's address, or null if the connection has ended
   */
  static RequestOrigin of(@Nullable SocketAddress remote) {
    return remote instanceof InetSocketAddress peer && peer.getAddress() != null
        ? of(peer)
        : RequestOrigin.UNKNOWN;
  }

  private static RequestOrigin of(InetSocketAddress peer) {
    String host = peer.getAddress().getHostAddress();
    return new RequestOrigin(
        peer.getAddress().isLoopbackAddress() ? host + ":" + peer.getPort() : host);
  }
}
