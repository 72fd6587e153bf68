package corfu.runtime;

import corfu.protocol.Address;

/** An entry was written, but no replica that answers can read it any more. */
public final class CorruptEntryException extends CorfuException {
  private static final long serialVersionUID = 1L;

  private final long address;

  public CorruptEntryException(Address address, String detail) {
    super("the entry at address " + address + " cannot be read from any replica: " + detail);
    this.address = address.value();
  }

  public Address address() {
    return new Address(address);
  }
}
