package corfu.store;

/** A call exceeds a limit of the store's options; nothing has happened. */
public final class StoreLimitException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StoreLimitException(String message) {
    super(message);
  }
}
