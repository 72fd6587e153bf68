package corfu.transport;

import corfu.protocol.Endpoint;

/**
 * The request breaks a limit or the protocol: it was not sent, or the server would not read it. It
 * had no effect.
 */
public final class RequestRefusedException extends TransportException {
  private static final long serialVersionUID = 1L;

  public RequestRefusedException(Endpoint endpoint, String reason) {
    super(endpoint, "request to " + endpoint + " refused: " + reason);
  }
}
