package corfu.objects;

/** A replicated object can't do what it was asked to. The subclasses say why. */
public abstract sealed class ObjectException extends RuntimeException
    permits HistoryTrimmedException,
        RemoteViewException,
        ResultUnknownException,
        TransactionAbortedException,
        UndecodableEntryException,
        UpdateRefusedException,
        ViewBrokenException {
  private static final long serialVersionUID = 1L;

  ObjectException(String message) {
    super(message);
  }

  ObjectException(String message, Throwable cause) {
    super(message, cause);
  }
}
