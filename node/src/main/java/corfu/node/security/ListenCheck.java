package corfu.node.security;

import corfu.protocol.Endpoint;
import corfu.transport.tls.TlsMode;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/** Refuses to listen beyond this machine without TLS. */
public final class ListenCheck {

  /** The words that let a server listen beyond this machine without TLS. */
  public static final String INSECURE_WORDS =
      "anyone who reaches the port can read, change and destroy everything";

  private ListenCheck() {}

  /**
   * Returns why a server may not listen, or empty if it may.
   *
   * @param security the cluster's security
   * @param server the server's name
   * @param listen the endpoint of the server
   */
  public static Optional<String> objection(
      ClusterSecurity security, String server, Endpoint listen) {
    if (security.servers().mode() == TlsMode.REQUIRED
        || security.insecureListen()
        || isLoopback(listen.host())) {
      return Optional.empty();
    }
    return Optional.of(
        ("server %s would listen on %s, beyond this machine, without requiring TLS: set tls ="
                + " \"required\" and [certificates] (see docs/security.md), or listen on 127.0.0.1,"
                + " or write: insecure-listen = \"%s\"")
            .formatted(server, listen, ClusterSecurity.INSECURE_WORDS));
  }

  /** Returns whether a server that listens on this host is reached from this machine only. */
  public static boolean isLoopback(String host) {
    try {
      for (InetAddress address : InetAddress.getAllByName(host)) {
        if (!address.isLoopbackAddress()) {
          return false;
        }
      }
      return true;
    } catch (UnknownHostException unknown) {
      return false;
    }
  }
}
