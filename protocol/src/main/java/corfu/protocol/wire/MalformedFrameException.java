package corfu.protocol.wire;

import corfu.protocol.message.Failure;

/**
 * Bytes that no peer of this schema would have sent. The connection they came on cannot be trusted
 * any more.
 */
public final class MalformedFrameException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Failure.Cause kind;

  public MalformedFrameException(Failure.Cause kind, String message) {
    super(message);
    this.kind = kind;
  }

  /** What is wrong, as the peer is told. */
  public Failure.Cause kind() {
    return kind;
  }
}
