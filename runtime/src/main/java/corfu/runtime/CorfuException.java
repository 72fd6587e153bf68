package corfu.runtime;

/**
 * A call on a cluster failed. The subclass tells the reason, and what the client knows of the
 * call's effect.
 */
public abstract sealed class CorfuException extends RuntimeException
    permits AccessDeniedException,
        AppendOutcomeUnknownException,
        BeyondTailException,
        CorruptEntryException,
        EntryTooLargeException,
        NoSpaceException,
        QuotaExceededException,
        TooManyStreamsException,
        UnavailableException {
  private static final long serialVersionUID = 1L;

  CorfuException(String message) {
    super(message);
  }

  CorfuException(String message, Throwable cause) {
    super(message, cause);
  }
}
