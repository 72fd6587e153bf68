package corfu.objects;

import corfu.protocol.Address;

/**
 * A change was made, and stays, but its result is unknown. Either the cluster failed before this
 * client had read the object's stream up to the change, or that part of the history was trimmed
 * meanwhile. Do not make the change again; read the object.
 */
public final class ResultUnknownException extends ObjectException {
  private static final long serialVersionUID = 1L;

  private final long address;

  public ResultUnknownException(String operation, String object, Address address, String reason) {
    super(message(operation, object, address, reason));
    this.address = address.value();
  }

  public ResultUnknownException(String operation, String object, Address address, Throwable cause) {
    super(message(operation, object, address, String.valueOf(cause.getMessage())), cause);
    this.address = address.value();
  }

  private static String message(String operation, String object, Address address, String reason) {
    return "%s at address %s of object %s was made, but what it returned is not known: %s"
        .formatted(operation, address, object, reason);
  }

  /** The log address of the change. */
  public Address address() {
    return new Address(address);
  }
}
