package corfu.transport;

import corfu.protocol.Endpoint;

/**
 * The request was sent, but no reply came by its deadline or by the connection's end. Its effect is
 * unknown.
 */
public final class NoReplyException extends TransportException {
  private static final long serialVersionUID = 1L;

  public NoReplyException(Endpoint endpoint, String reason) {
    super(endpoint, "no reply from " + endpoint + ": " + reason);
  }
}
