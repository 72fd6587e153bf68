package corfu.objects;

/**
 * A view could not apply a change, for a reason outside of the object, such as a lack of memory.
 * The view's state can't be trusted any more; open the object again.
 */
public final class ViewBrokenException extends ObjectException {
  private static final long serialVersionUID = 1L;

  public ViewBrokenException(String message, Throwable cause) {
    super(message, cause);
  }
}
