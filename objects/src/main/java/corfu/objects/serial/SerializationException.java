package corfu.objects.serial;

/**
 * A value can't be turned into bytes, or bytes into a value; the message says why and what to do.
 */
public final class SerializationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public SerializationException(String message) {
    super(message);
  }

  public SerializationException(String message, Throwable cause) {
    super(message, cause);
  }
}
