package corfu.world;

/** A disk operation failed. The message names the file and the call. */
public class DiskException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public DiskException(String message) {
    super(message);
  }

  public DiskException(String message, Throwable cause) {
    super(message, cause);
  }
}
