package corfu.node;

/** A configuration cannot be used; the message says where it is wrong and what belongs there. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ConfigException(String message) {
    super(message);
  }

  ConfigException(String message, Throwable cause) {
    super(message, cause);
  }
}
