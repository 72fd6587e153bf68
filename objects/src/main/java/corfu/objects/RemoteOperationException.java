package corfu.objects;

import java.util.Optional;

/**
 * An operation of a remote object threw an exception that can't be made here: its class is missing,
 * or has a constructor neither without parameters nor with a message as the only one.
 */
public final class RemoteOperationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String exceptionClass;

  public RemoteOperationException(String exceptionClass, Optional<String> message) {
    super(message.map(text -> exceptionClass + ": " + text).orElse(exceptionClass));
    this.exceptionClass = exceptionClass;
  }

  /** The name of the class of what was thrown. */
  public String exceptionClass() {
    return exceptionClass;
  }
}
