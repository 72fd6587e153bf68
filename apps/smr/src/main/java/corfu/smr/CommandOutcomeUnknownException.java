package corfu.smr;

/**
 * A call timed out after its command was sent. The command may have been applied, or may be applied
 * later. Read the state to find out.
 */
public final class CommandOutcomeUnknownException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CommandOutcomeUnknownException(String message) {
    super(message);
  }
}
