package corfu.transport.tcp;

import corfu.protocol.message.RequestOrigin;
import corfu.transport.tls.TlsPeer;
import java.time.Duration;

/**
 * A connection that a server has accepted, before its first message.
 *
 * @param origin the client
 * @param welcomeIn the time in which the connection must be welcomed
 * @param protection whether it is encrypted, and whether it may be used
 * @param client the client by its certificate; anonymous without TLS
 */
record AcceptedConnection(
    RequestOrigin origin, Duration welcomeIn, Protection protection, TlsPeer client) {

  enum Protection {
    PLAIN,
    /** Plain, to a server that requires TLS: it gets one answer that says so. */
    REFUSED,
    ENCRYPTED
  }

  static AcceptedConnection plain(RequestOrigin origin, Duration welcomeIn) {
    return new AcceptedConnection(origin, welcomeIn, Protection.PLAIN, TlsPeer.ANONYMOUS);
  }

  static AcceptedConnection refused(RequestOrigin origin, Duration welcomeIn) {
    return new AcceptedConnection(origin, welcomeIn, Protection.REFUSED, TlsPeer.ANONYMOUS);
  }

  static AcceptedConnection encrypted(RequestOrigin origin, Duration welcomeIn, TlsPeer client) {
    return new AcceptedConnection(
        new RequestOrigin(origin.name(), client.identity()),
        welcomeIn,
        Protection.ENCRYPTED,
        client);
  }
}
