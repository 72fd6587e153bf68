package corfu.node.local;

/** A cluster of local processes could not be made to do what was asked; the message says why. */
public final class LocalClusterException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LocalClusterException(String message) {
    super(message);
  }

  LocalClusterException(String message, Throwable cause) {
    super(message, cause);
  }
}
