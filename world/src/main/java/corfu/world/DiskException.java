package corfu.world;

/** A disk did not do what it was asked to; the message names the file and the call. */
public class DiskException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public DiskException(String message) {
    super(message);
  }

  public DiskException(String message, Throwable cause) {
    super(message, cause);
  }
}
