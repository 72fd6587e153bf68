package corfu.nbd.internal.protocol;

/** The data of an option are malformed. The client receives an error, and may go on. */
public final class InvalidOptionException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Creates the exception. */
  public InvalidOptionException(String message) {
    super(message);
  }
}
