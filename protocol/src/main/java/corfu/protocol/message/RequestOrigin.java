package corfu.protocol.message;

/**
 * The origin of a request as the transport has seen it. Clients cannot claim an origin. Two
 * requests of one origin may come from different clients. Two origins are two clients, or one
 * client with two ways to the server.
 *
 * @param name a name for people, also used for comparison
 */
public record RequestOrigin(String name) {

  /** The server itself, or an origin that the transport does not know. */
  public static final RequestOrigin UNKNOWN = new RequestOrigin("");

  /** Returns whether the transport knows the origin. */
  public boolean isKnown() {
    return !name.isEmpty();
  }

  @Override
  public String toString() {
    return name;
  }
}
