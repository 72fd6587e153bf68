package corfu.protocol.message;

import corfu.protocol.Identity;

/**
 * The origin of a request as the transport has seen it. Clients cannot claim an origin. Two
 * requests of one origin may come from different clients. Two origins are two clients, or one
 * client with two ways to the server.
 *
 * @param name a name for people, also used for comparison
 * @param identity the name that the client has proven, or {@link Identity#ANONYMOUS}
 */
public record RequestOrigin(String name, Identity identity) {

  /** The server itself, or an origin that the transport does not know. */
  public static final RequestOrigin UNKNOWN = new RequestOrigin("");

  /** Creates the origin of a client that has proven no name. */
  public RequestOrigin(String name) {
    this(name, Identity.ANONYMOUS);
  }

  /** Returns whether the transport knows the origin. */
  public boolean isKnown() {
    return !name.isEmpty();
  }

  @Override
  public String toString() {
    return identity.equals(Identity.ANONYMOUS) ? name : identity + " at " + name;
  }
}
