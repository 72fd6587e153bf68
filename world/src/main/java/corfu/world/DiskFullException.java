package corfu.world;

/** The disk has no space left for a write. Part of the bytes may have been written. */
public final class DiskFullException extends DiskException {
  private static final long serialVersionUID = 1L;

  public DiskFullException(String message) {
    super(message);
  }

  public DiskFullException(String message, Throwable cause) {
    super(message, cause);
  }
}
