package corfu.nbd.internal.protocol;

/** A client has sent bytes behind which nothing can be understood. The connection ends. */
public final class NbdViolationException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Creates the exception. */
  public NbdViolationException(String message) {
    super(message);
  }
}
