package corfu.transport;

import corfu.protocol.Endpoint;

/** The request was never sent, because there is no connection. It had no effect. */
public sealed class UnreachableException extends TransportException
    permits UntrustedCertificateException {
  private static final long serialVersionUID = 1L;

  private final boolean crowded;

  public UnreachableException(Endpoint endpoint, String reason) {
    this(endpoint, reason, false);
  }

  private UnreachableException(Endpoint endpoint, String reason, boolean crowded) {
    super(endpoint, "cannot reach " + endpoint + ": " + reason);
    this.crowded = crowded;
  }

  /**
   * Returns the failure of a request for which the client's own requests left no room until its
   * deadline.
   */
  public static UnreachableException crowded(Endpoint endpoint) {
    return new UnreachableException(
        endpoint, "too much was in flight to it until the request's deadline", true);
  }

  /** Returns whether the client's own requests left no room. This says nothing about the server. */
  public boolean isCrowded() {
    return crowded;
  }
}
