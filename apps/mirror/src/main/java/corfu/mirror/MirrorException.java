package corfu.mirror;

/** A cluster cannot be mirrored, or a mirror cannot be promoted; the message says what to do. */
public final class MirrorException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why. */
  public enum Reason {
    /** The target holds something of its own: it was promoted once, or is no fresh cluster. */
    NOT_FRESH,
    /** The target was a mirror until now, and has been promoted: there is nothing left to do. */
    PROMOTED,
    /** The target mirrors another cluster, or other streams of it. */
    OTHER_SOURCE,
    /** Source and target are the same cluster. */
    ITSELF,
    /** The target mirrors nothing: there is nothing to promote. */
    NO_MIRROR,
    /** The source has given up what the mirror has not copied. */
    CUT_OFF,
    /** The target holds something else where an entry of the source belongs. */
    DIVERGED,
    /** The source still serves. */
    SOURCE_LIVES,
    /** The mirror lacks something that what it holds may need. */
    INCOMPLETE
  }

  private final Reason reason;

  MirrorException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
