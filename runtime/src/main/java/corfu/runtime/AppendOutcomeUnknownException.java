package corfu.runtime;

import corfu.protocol.Address;

/**
 * Whether an append happened cannot be known now; reading the address that it was sent to will
 * tell.
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

  /** Where the entry is, if the append happened. */
  public Address address() {
    return new Address(address);
  }
}
