package corfu.mirror;

/** A cluster cannot be mirrored, or a mirror cannot be promoted; the message says what to do. */
public final class MirrorException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The reason of the failure. */
  public enum Reason {
    /** The target has entries of its own: it was promoted once, or is not a new cluster. */
    NOT_FRESH,
    /** The target was a mirror, and has been promoted. */
    PROMOTED,
    /** The target mirrors another cluster, or other streams of it. */
    OTHER_SOURCE,
    /** Source and target are the same cluster. */
    ITSELF,
    /** The target is not a mirror, so it cannot be promoted. */
    NO_MIRROR,
    /** The source has trimmed entries that the mirror has not copied. */
    CUT_OFF,
    /** The target holds another entry at the address of a source's entry. */
    DIVERGED,
    /** The source still serves. */
    SOURCE_LIVES,
    /** The mirror lacks entries that its other entries may need. */
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
