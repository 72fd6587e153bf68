package corfu.zookeeper.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import org.apache.zookeeper.server.admin.AdminServer.AdminServerException;
import org.apache.zookeeper.server.admin.JettyAdminServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** ZooKeeper's AdminServer: commands over HTTP, with results in JSON. Thread-safe. */
public final class AdminPort implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(AdminPort.class);

  private final JettyAdminServer admin;

  private AdminPort(JettyAdminServer admin) {
    this.admin = admin;
  }

  /**
   * Starts to listen.
   *
   * @throws IOException if the port is not free
   */
  public static AdminPort open(TranslationServer server, InetSocketAddress address)
      throws IOException {
    try {
      JettyAdminServer admin =
          new JettyAdminServer(
              address.getHostString(),
              address.getPort(),
              JettyAdminServer.DEFAULT_IDLE_TIMEOUT,
              JettyAdminServer.DEFAULT_COMMAND_URL,
              JettyAdminServer.DEFAULT_HTTP_VERSION,
              Boolean.getBoolean("zookeeper.admin.portUnification"),
              Boolean.getBoolean("zookeeper.admin.forceHttps"),
              Boolean.getBoolean("zookeeper.admin.needClientAuth"));
      admin.setZooKeeperServer(server);
      admin.start();
      return new AdminPort(admin);
    } catch (AdminServerException | GeneralSecurityException failure) {
      throw new IOException(
          "the AdminServer cannot listen on %s:%d; choose another port"
              .formatted(address.getHostString(), address.getPort()),
          failure);
    }
  }

  @Override
  public void close() {
    try {
      admin.shutdown();
    } catch (AdminServerException failure) {
      LOG.warn("the AdminServer does not stop", failure);
    }
  }
}
