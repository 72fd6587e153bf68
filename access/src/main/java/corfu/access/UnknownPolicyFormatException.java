package corfu.access;

/**
 * Intact bytes of the policy that this version of the program cannot read. It must not guess: an
 * unread command may take a permission away. So a server serves nobody but its configured
 * identities until it has been upgraded.
 */
public final class UnknownPolicyFormatException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnknownPolicyFormatException(String message) {
    super(message);
  }
}
