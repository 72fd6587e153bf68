package corfu.protocol.layout;

/** A chain was asked for one of its replicas, but has none left. Waiting may help. */
public final class LostChainException extends RuntimeException {
  private static final long serialVersionUID = 1;

  LostChainException(String message) {
    super(message);
  }
}
