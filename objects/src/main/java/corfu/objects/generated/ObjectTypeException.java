package corfu.objects.generated;

/** A class can't be made a replicated object as it is; the message says what to change. */
public final class ObjectTypeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ObjectTypeException(String message) {
    super(message);
  }

  ObjectTypeException(String message, Throwable cause) {
    super(message, cause);
  }
}
