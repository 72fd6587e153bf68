package corfu.protocol.wire;

import corfu.protocol.message.Failure;

/**
 * Thrown for bytes that no peer of this schema would have sent. Their connection cannot be trusted
 * any more.
 */
public final class MalformedFrameException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Failure.Cause kind;

  public MalformedFrameException(Failure.Cause kind, String message) {
    super(message);
    this.kind = kind;
  }

  /** Returns the cause that is reported to the peer. */
  public Failure.Cause kind() {
    return kind;
  }
}
