package corfu.objects;

/**
 * What was asked for lies in a part of an object's history that has been forgotten: its entries are
 * trimmed, and no checkpoint that is left leads there.
 */
public final class HistoryTrimmedException extends ObjectException {
  private static final long serialVersionUID = 1L;

  public HistoryTrimmedException(String message) {
    super(message);
  }
}
