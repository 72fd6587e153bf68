package corfu.nbd;

import corfu.nbd.internal.server.NbdListener;
import corfu.nbd.internal.server.ServerSockets;
import corfu.world.World;
import org.slf4j.LoggerFactory;

/**
 * A server of the NBD protocol. One server offers all exports at one address, each by its name.
 * Thread-safe.
 */
public final class NbdServer implements AutoCloseable {

  private final NbdListener listener;

  private NbdServer(NbdListener listener) {
    this.listener = listener;
  }

  /**
   * Starts a server.
   *
   * @param options address, security and bounds
   * @param exports the devices; they outlive the server
   * @param world the server's clock
   * @throws NbdServerException if the address is in use, or a file for TLS is missing or wrong
   */
  public static NbdServer start(NbdServerOptions options, Exports exports, World world) {
    return start(options, exports, world, ServerSockets.best());
  }

  static NbdServer start(
      NbdServerOptions options, Exports exports, World world, ServerSockets sockets) {
    return new NbdServer(
        NbdListener.start(
            options, exports, world, sockets, LoggerFactory.getLogger(NbdServer.class)));
  }

  /** Returns the address on which the server listens, with the actual port. */
  public NbdAddress address() {
    return listener.address();
  }

  /** Returns the number of connections. */
  public int connections() {
    return listener.connections();
  }

  /**
   * Stops accepting, lets requests in flight end for at most {@code closeTime}, and closes all
   * connections. Not to be called by a device's thread.
   */
  @Override
  public void close() {
    listener.close();
  }
}
