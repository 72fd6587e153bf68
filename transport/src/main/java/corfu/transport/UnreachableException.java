package corfu.transport;

import corfu.protocol.Endpoint;

/** The request was never sent, for there is no connection; so it had no effect. */
public final class UnreachableException extends TransportException {
  private static final long serialVersionUID = 1L;

  public UnreachableException(Endpoint endpoint, String reason) {
    super(endpoint, "cannot reach " + endpoint + ": " + reason);
  }
}
