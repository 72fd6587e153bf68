package corfu.objects;

/**
 * A call on a replicated object or a transaction failed, or its result is unknown. The subclass
 * says why. Failures of the log itself are a {@link corfu.runtime.CorfuException}. Failures to
 * serialize a value, and exceptions that a method of the object throws, are neither.
 */
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
