package corfu.transport;

import corfu.protocol.Endpoint;

/** The request was never sent, for there is no connection; so it had no effect. */
public final class UnreachableException extends TransportException {
  private static final long serialVersionUID = 1L;

  private final boolean crowded;

  public UnreachableException(Endpoint endpoint, String reason) {
    this(endpoint, reason, false);
  }

  private UnreachableException(Endpoint endpoint, String reason, boolean crowded) {
    super(endpoint, "cannot reach " + endpoint + ": " + reason);
    this.crowded = crowded;
  }

  /** The client's own requests left no room for another one until its deadline. */
  public static UnreachableException crowded(Endpoint endpoint) {
    return new UnreachableException(
        endpoint, "too much was in flight to it until the request's deadline", true);
  }

  /** Whether the client's own requests were in the way, which says nothing about the server. */
  public boolean isCrowded() {
    return crowded;
  }
}
