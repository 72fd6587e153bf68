package corfu.node.local;

/** An operation on a cluster of local processes failed; the message says why. */
public final class LocalClusterException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LocalClusterException(String message) {
    super(message);
  }

  LocalClusterException(String message, Throwable cause) {
    super(message, cause);
  }
}
