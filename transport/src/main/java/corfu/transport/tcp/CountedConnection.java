package corfu.transport.tcp;

import corfu.protocol.message.Failure;
import corfu.protocol.message.RequestOrigin;
import corfu.transport.RequestHandler;
import java.util.Optional;

/**
 * Tells the handler once that a connection has begun, and once that it has ended. Lives on the
 * server's loop.
 */
final class CountedConnection {

  private final RequestHandler handler;
  private final RequestOrigin origin;
  private boolean isCounted;

  CountedConnection(RequestHandler handler, RequestOrigin origin) {
    this.handler = handler;
    this.origin = origin;
  }

  /** Returns the reason to close the connection, or empty if it counts from now on. */
  Optional<Failure> begin() {
    Optional<Failure> objection = isCounted ? Optional.empty() : handler.connected(origin);
    isCounted = objection.isEmpty();
    return objection;
  }

  /** The connection has ended, whether it counted or not. */
  void end() {
    if (isCounted) {
      isCounted = false;
      handler.disconnected(origin);
    }
  }
}
