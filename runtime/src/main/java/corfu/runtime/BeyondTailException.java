package corfu.runtime;

import corfu.protocol.Address;

/**
 * A trim or a fill named an address for which no token has been issued. Nothing was changed. Such
 * an address belongs to a future append.
 */
public final class BeyondTailException extends CorfuException {
  private static final long serialVersionUID = 1L;

  private final long tail;

  /**
   * @param refused the refused request, for the message: "fill address 17"
   */
  public BeyondTailException(String refused, Address tail) {
    super(
        "cannot "
            + refused
            + ": the log ends at its tail "
            + tail
            + ", and later addresses belong to future appends; name an address before the tail");
    this.tail = tail.value();
  }

  /** Returns the log's tail when the call was refused. */
  public Address tail() {
    return new Address(tail);
  }
}
