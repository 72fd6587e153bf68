package corfu.nbd;

import java.nio.file.Path;

/** The address on which a server listens. */
public sealed interface NbdAddress {

  /** The port that clients use where none is given. */
  int DEFAULT_PORT = 10_809;

  /**
   * A TCP port.
   *
   * @param host a name or address of this machine
   * @param port the port, or 0 for any free one
   */
  record Tcp(String host, int port) implements NbdAddress {
    @Override
    public String toString() {
      return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
  }

  /**
   * A Unix socket. A file that a dead server has left is replaced.
   *
   * @param path the file
   */
  record UnixSocket(Path path) implements NbdAddress {
    @Override
    public String toString() {
      return path.toString();
    }
  }
}
