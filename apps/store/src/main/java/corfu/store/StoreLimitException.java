package corfu.store;

/** More was asked for than the store's options allow; nothing has happened. */
public final class StoreLimitException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StoreLimitException(String message) {
    super(message);
  }
}
