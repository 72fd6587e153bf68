package corfu.peers.program;

/** A system can't be measured here. The message says why, and what would help. */
public final class AbsentException extends Exception {

  private static final long serialVersionUID = 1;

  public AbsentException(String message) {
    super(message);
  }

  public AbsentException(String message, Throwable cause) {
    super(message, cause);
  }
}
