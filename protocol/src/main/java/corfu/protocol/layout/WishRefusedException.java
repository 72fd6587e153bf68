package corfu.protocol.layout;

/** An operator's wish was refused, because it would remove something that the cluster needs. */
public final class WishRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  WishRefusedException(String message) {
    super(message);
  }
}
