package corfu.objects;

/**
 * A call needs a part of an object's history that was trimmed: its entries are gone, and no
 * remaining checkpoint leads there.
 */
public final class HistoryTrimmedException extends ObjectException {
  private static final long serialVersionUID = 1L;

  public HistoryTrimmedException(String message) {
    super(message);
  }
}
