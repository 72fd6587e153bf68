package corfu.access;

/** Bytes that no version of the program has written as a policy, or that were changed since. */
public final class DamagedPolicyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DamagedPolicyException(String message) {
    super(message);
  }
}
