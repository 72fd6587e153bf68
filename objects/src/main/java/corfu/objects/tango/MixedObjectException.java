package corfu.objects.tango;

/**
 * The object is one of {@link corfu.objects.ReplicatedObjects}. Readers decide Tango's
 * transactions; that class decides its transactions before they are in the log. One stream can't
 * have both kinds: neither would notice conflicts with the other.
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
