package corfu.runtime;

import corfu.protocol.Address;

/**
 * The client cannot know now whether an append happened. A read of the address that the append was
 * sent to will tell.
 */
public final class AppendOutcomeUnknownException extends CorfuException {
  private static final long serialVersionUID = 1L;

  private final long address;

  public AppendOutcomeUnknownException(Address address, String reason) {
    super(
        "the append to address "
            + address
            + " may or may not have happened ("
            + reason
            + "); read that address to find out before you append again");
    this.address = address.value();
  }

  /** Returns the address of the entry if the append happened. */
  public Address address() {
    return new Address(address);
  }
}
