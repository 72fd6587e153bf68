package corfu.objects;

import corfu.objects.record.Update;
import corfu.protocol.Address;

/**
 * A change is in the log, but every view of the object refuses it, because the object's type does
 * not have the operation. The change has no effect and will never have one.
 */
public final class UpdateRefusedException extends ObjectException {
  private static final long serialVersionUID = 1L;

  private final long address;

  UpdateRefusedException(Address address, String message) {
    super(message);
    this.address = address.value();
  }

  /** The object's type does not have the operation, and never will. */
  public static UpdateRefusedException of(
      String object, String type, Update update, Address address) {
    return new UpdateRefusedException(
        address,
        "%s at address %s of object %s is refused: a %s has no such operation"
            .formatted(update.operation(), address, object, type));
  }

  /** The object is of another type than its caller assumed. */
  public static UpdateRefusedException ofWrongType(
      String object, String type, String operation, Address address, ObjectException why) {
    return new UpdateRefusedException(
        address,
        "%s at address %s of object %s is refused, as this object is no %s: %s"
            .formatted(operation, address, object, type, why.getMessage()));
  }

  /** The log address of the change. */
  public Address address() {
    return new Address(address);
  }
}
