package corfu.transport.internal;

import corfu.protocol.message.Failure;
import corfu.protocol.message.RequestOrigin;
import corfu.transport.RequestHandler;
import java.util.Optional;

/**
 * Tells the handler once that a connection has begun, and once that it has ended. Lives on the
 * server's loop.
 */
public final class CountedConnection {

  private final RequestHandler handler;
  private final RequestOrigin origin;
  private boolean isCounted;

  /**
   * @param handler the handler of the connection's requests
   * @param origin the client
   */
  public CountedConnection(RequestHandler handler, RequestOrigin origin) {
    this.handler = handler;
    this.origin = origin;
  }

  /** Returns the reason to close the connection, or empty if it counts from now on. */
  public Optional<Failure> begin() {
    Optional<Failure> objection = isCounted ? Optional.empty() : handler.connected(origin);
    isCounted = objection.isEmpty();
    return objection;
  }

  /** The connection has ended, whether it counted or not. */
  public void end() {
    if (isCounted) {
      isCounted = false;
      handler.disconnected(origin);
    }
  }
}
