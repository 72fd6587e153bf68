package corfu.protocol.layout;

/**
 * A layout cannot drop all requested servers: they hold the last replica of a part of the log, or
 * include the last log unit.
 */
public final class LastReplicaException extends RuntimeException {
  private static final long serialVersionUID = 1;

  LastReplicaException(String message) {
    super(message);
  }
}
