package corfu.objects;

import corfu.objects.serial.SerializationException;
import corfu.protocol.Address;

/**
 * This client does not understand an entry of an object's stream. Another version of the class
 * wrote it, the object is opened as the wrong type, a class is missing, or the stream is used for
 * something other than an object. The view stays before the entry. Every call throws this exception
 * until the client understands the entry.
 */
public final class UndecodableEntryException extends ObjectException {
  private static final long serialVersionUID = 1L;

  private final long address;

  public UndecodableEntryException(Address address, String message, Throwable cause) {
    super(message, cause);
    this.address = address.value();
  }

  public UndecodableEntryException(Address address, String message) {
    super(message);
    this.address = address.value();
  }

  public static UndecodableEntryException of(
      String object, Address address, SerializationException why) {
    return new UndecodableEntryException(
        address,
        "the entry at address %s of object %s: %s".formatted(address, object, why.getMessage()),
        why);
  }

  /** The log address of the entry. */
  public Address address() {
    return new Address(address);
  }
}
