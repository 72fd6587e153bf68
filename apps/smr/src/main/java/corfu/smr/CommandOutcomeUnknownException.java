package corfu.smr;

/**
 * The time of a call was over when its command had been sent on its way: it may have been carried
 * out, or may yet be. Ask the state what came of it.
 */
public final class CommandOutcomeUnknownException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CommandOutcomeUnknownException(String message) {
    super(message);
  }
}
