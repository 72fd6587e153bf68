package corfu.objects.tango;

/**
 * The object is one of {@link corfu.objects.ReplicatedObjects}. What is decided by its readers and
 * what is decided before it is in the log can't be in one stream: neither would know of the other's
 * conflicts.
 */
public final class MixedObjectException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MixedObjectException(String message) {
    super(message);
  }

  MixedObjectException(String message, Throwable cause) {
    super(message, cause);
  }
}
