package corfu.protocol.layout;

/**
 * A layout can't do without all servers that it should: with them the last replica of a part of the
 * log, or the last log unit, would go.
 */
public final class LastReplicaException extends RuntimeException {
  private static final long serialVersionUID = 1;

  LastReplicaException(String message) {
    super(message);
  }
}
