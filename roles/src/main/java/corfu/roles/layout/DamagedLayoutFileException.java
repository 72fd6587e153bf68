package corfu.roles.layout;

/**
 * The file of a layout server's promises and accepted proposals is unreadable. Without it, two
 * layouts could be decided for one epoch, so the server does not start.
 */
public final class DamagedLayoutFileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DamagedLayoutFileException(String message) {
    super(message);
  }

  DamagedLayoutFileException(String message, Throwable cause) {
    super(message, cause);
  }
}
