package corfu.zookeeper.subject;

import java.io.IOException;

/**
 * A service with ZooKeeper's protocol that tests compare with another one, or use through clients.
 * It listens on the loopback address. The superuser's digest is {@link #SUPERUSER}.
 */
public interface Subject extends AutoCloseable {

  /** The digest scheme's name and password of the superuser. */
  String SUPERUSER = "super:secret";

  /** Returns the name for messages of failed tests. */
  String name();

  /** Returns the client port, which stays the same after a restart. */
  int port();

  /** Returns the address for stock clients. */
  default String connectString() {
    return "127.0.0.1:" + port();
  }

  /**
   * Kills the service and starts it again with the same nodes and sessions.
   *
   * @throws IOException if the service does not start
   */
  void restart() throws IOException;

  /**
   * Collects garbage, and returns the bytes of the objects that live then.
   *
   * @throws IOException if the service's process cannot be asked
   */
  long liveHeapBytes() throws IOException;

  /** Ends the service and deletes its data. */
  @Override
  void close();
}
