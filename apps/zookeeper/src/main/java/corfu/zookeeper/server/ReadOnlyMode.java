package corfu.zookeeper.server;

import corfu.zookeeper.machine.NamespaceMachine;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.zookeeper.server.ServerCnxn.DisconnectReason;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exchanges the server behind the ports: for a read-only one while the log is out of reach, and
 * back. All connections close at each exchange; their clients choose anew.
 *
 * <p>One thread uses it.
 */
final class ReadOnlyMode {

  private static final Logger LOG = LoggerFactory.getLogger(ReadOnlyMode.class);

  private final ZooKeeperServer server;
  private final Supplier<NamespaceMachine> machine;
  private final Consumer<ZooKeeperServer> administered;
  private final boolean isEnabled;
  private boolean isReadOnly;

  /**
   * @param machine returns the present state
   * @param administered receives each server that is behind the ports from then on
   */
  ReadOnlyMode(
      ZooKeeperServer server,
      Supplier<NamespaceMachine> machine,
      Consumer<ZooKeeperServer> administered,
      boolean isEnabled) {
    this.server = server;
    this.machine = machine;
    this.administered = administered;
    this.isEnabled = isEnabled;
  }

  /** The log is out of reach. */
  void begin() {
    if (!isEnabled || isReadOnly) {
      return;
    }
    try {
      exchange(ReadOnlyServer.of(server, machine.get()));
      isReadOnly = true;
      LOG.warn("the log is out of reach: this server serves reads only");
    } catch (IOException | RuntimeException failure) {
      LOG.error("cannot serve reads while the log is out of reach", failure);
    }
  }

  /** The log is in reach. */
  void end() {
    if (isReadOnly) {
      isReadOnly = false;
      exchange(server);
      LOG.info("the log is in reach again");
    }
  }

  private void exchange(ZooKeeperServer behindPorts) {
    administered.accept(behindPorts);
    for (ServerCnxnFactory factory : factories()) {
      factory.setZooKeeperServer(behindPorts);
      factory.closeAll(DisconnectReason.CONNECTION_MODE_CHANGED);
    }
  }

  private List<ServerCnxnFactory> factories() {
    ServerCnxnFactory plain = server.getServerCnxnFactory();
    ServerCnxnFactory secure = server.getSecureServerCnxnFactory();
    if (plain == null) {
      return List.of();
    }
    return secure == null ? List.of(plain) : List.of(plain, secure);
  }
}
