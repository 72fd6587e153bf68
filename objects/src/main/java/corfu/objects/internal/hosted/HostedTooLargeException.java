package corfu.objects.internal.hosted;

/** An object is larger than its host allows. */
public final class HostedTooLargeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  HostedTooLargeException(String message) {
    super(message);
  }
}
