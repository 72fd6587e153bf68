package corfu.nbd;

/** A server cannot start: its address is in use, or a file for TLS is missing or wrong. */
public final class NbdServerException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Creates the exception. */
  public NbdServerException(String message) {
    super(message);
  }

  /** Creates the exception. */
  public NbdServerException(String message, Throwable cause) {
    super(message, cause);
  }
}
