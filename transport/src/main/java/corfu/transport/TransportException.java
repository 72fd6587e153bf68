package corfu.transport;

import corfu.protocol.Endpoint;

/** A request got no reply. */
public abstract sealed class TransportException extends RuntimeException
    permits UnreachableException, NoReplyException, WrongClusterException, RequestRefusedException {
  private static final long serialVersionUID = 1L;

  private final transient Endpoint endpoint;
  private final String reason;

  TransportException(Endpoint endpoint, String message) {
    super(message);
    this.endpoint = endpoint;
    this.reason = message;
  }

  @Override
  public String getMessage() {
    return reason;
  }

  /** Returns the server to which the request went. */
  public Endpoint endpoint() {
    return endpoint;
  }

  /** Returns whether the server may have acted on the request in spite of the failure. */
  public boolean outcomeUnknown() {
    return this instanceof NoReplyException;
  }
}
