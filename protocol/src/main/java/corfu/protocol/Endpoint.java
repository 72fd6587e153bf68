package corfu.protocol;

/**
 * The address on which a server listens.
 *
 * @param host a host name or an IP address; IPv6 without brackets
 * @param port the TCP port, 1 to 65535
 */
public record Endpoint(String host, int port) implements Comparable<Endpoint> {

  public Endpoint {
    if (host.isEmpty() || port < 1 || port > 65535) {
      throw new IllegalArgumentException(
          "a server's address is host:port with a port from 1 to 65535, but this is '"
              + host
              + ":"
              + port
              + "'");
    }
  }

  /**
   * Parses {@code host:port} or {@code [v6address]:port}.
   *
   * @throws IllegalArgumentException if the text has neither form
   */
  public static Endpoint parse(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 1) {
      throw new IllegalArgumentException(
          "a server's address is host:port, but this is '" + text + "'");
    }
    String host = text.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    try {
      return new Endpoint(host, Integer.parseInt(text.substring(colon + 1)));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "a server's address is host:port, but this is '" + text + "'", e);
    }
  }

  @Override
  public int compareTo(Endpoint other) {
    int byHost = host.compareTo(other.host);
    return byHost != 0 ? byHost : Integer.compare(port, other.port);
  }

  @Override
  public String toString() {
    return host.contains(":") ? "[" + host + "]:" + port : host + ":" + port;
  }
}
