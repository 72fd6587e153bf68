package corfu.objects;

/**
 * A change could not be carried out here for a reason that is none of the object's, such as a lack
 * of memory. What is known of the object can't be trusted any more; open it again.
 */
public final class ViewBrokenException extends ObjectException {
  private static final long serialVersionUID = 1L;

  public ViewBrokenException(String message, Throwable cause) {
    super(message, cause);
  }
}
