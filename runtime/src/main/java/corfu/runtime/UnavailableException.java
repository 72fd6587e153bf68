package corfu.runtime;

/**
 * Servers that the call needed did not answer, or not in time; it had no effect that anybody can
 * see.
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
