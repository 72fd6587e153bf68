package corfu.protocol.layout;

/** What an operator wishes for would take from the cluster what it needs. */
public final class WishRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  WishRefusedException(String message) {
    super(message);
  }
}
