package corfu.protocol.message;

/**
 * Where a request comes from, as the transport has seen it: nothing that a client claims about
 * itself. Two requests of one origin may be of different clients; two origins are two clients, or
 * one that has two ways to the server.
 *
 * @param name for people, and to compare
 */
public record RequestOrigin(String name) {

  /** The server asks itself, or the transport does not know. */
  public static final RequestOrigin UNKNOWN = new RequestOrigin("");

  /** Whether the transport knows it. */
  public boolean isKnown() {
    return !name.isEmpty();
  }

  @Override
  public String toString() {
    return name;
  }
}
