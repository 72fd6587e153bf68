package corfu.transport;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;

/** The server belongs to another cluster than the client expects. The request was not sent. */
public final class WrongClusterException extends TransportException {
  private static final long serialVersionUID = 1L;

  public WrongClusterException(Endpoint endpoint, ClusterId expected, ClusterId actual) {
    super(
        endpoint,
        "the server at "
            + endpoint
            + " belongs to cluster "
            + actual
            + ", not to "
            + expected
            + "; check the address, or the cluster id");
  }
}
