package corfu.roles.layout;

/**
 * The file that holds what a layout server has promised and accepted can't be read. Going on
 * without it could let two layouts be decided for one epoch, so the server does not start.
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
