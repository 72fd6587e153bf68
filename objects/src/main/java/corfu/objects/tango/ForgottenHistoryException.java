package corfu.objects.tango;

/** The history to be read has been forgotten: it is trimmed, and no checkpoint leads there. */
public final class ForgottenHistoryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ForgottenHistoryException(String message) {
    super(message);
  }
}
