package corfu.objects;

import java.util.Optional;

/**
 * An operation of a remote object threw an exception that this client can't construct. Its class is
 * missing, or it has neither a constructor without parameters nor one with a message as the only
 * parameter.
 */
public final class RemoteOperationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String exceptionClass;

  public RemoteOperationException(String exceptionClass, Optional<String> message) {
    super(message.map(text -> exceptionClass + ": " + text).orElse(exceptionClass));
    this.exceptionClass = exceptionClass;
  }

  /** The name of the exception's class. */
  public String exceptionClass() {
    return exceptionClass;
  }
}
