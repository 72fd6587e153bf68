package corfu.transport;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;

/**
 * The server there belongs to another cluster than the one that is meant; nothing was asked of it.
 */
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
