package corfu.runtime;

/**
 * Servers that the call needed did not answer, or not in time. The call had no effect that any
 * client can see.
 */
public final class UnavailableException extends CorfuException {
  private static final long serialVersionUID = 1L;

  public UnavailableException(String message) {
    super(message);
  }

  public UnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
