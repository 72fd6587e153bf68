package corfu.transport.tls;

import corfu.protocol.Endpoint;
import java.util.Map;

/**
 * The certificates on both sides of a client's connections. It has no secrets.
 *
 * @param own the client's own TLS
 * @param servers the certificates that servers showed in their newest handshakes with this client;
 *     without those to which it has not connected by TLS
 */
public record TlsConnections(TlsStatus own, Map<Endpoint, TlsPeer> servers) {

  /** The certificates of a client without TLS. */
  public static final TlsConnections NONE =
      new TlsConnections(TlsCredentials.off().status(), Map.of());

  public TlsConnections {
    servers = Map.copyOf(servers);
  }
}
