package corfu.runtime;

/**
 * A call on a cluster did not do what it was asked to. The subclasses say why, and what is known of
 * its effect.
 */
public abstract sealed class CorfuException extends RuntimeException
    permits AppendOutcomeUnknownException,
        BeyondTailException,
        CorruptEntryException,
        EntryTooLargeException,
        NoSpaceException,
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
