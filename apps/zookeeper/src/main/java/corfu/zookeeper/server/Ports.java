package corfu.zookeeper.server;

import corfu.zookeeper.ListenOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.util.Optional;
import org.apache.zookeeper.server.BoundedNettyConnectionFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.admin.AdminServer;
import org.apache.zookeeper.server.admin.JettyAdminServer;

/** The ports of a translation server: for clients, for clients with TLS, and the AdminServer. */
public final class Ports implements AutoCloseable {

  private static final int DEFAULT_BACKLOG = -1;
  private static final int ADMIN_IDLE_MILLIS = 30_000;
  private static final String ADMIN_PATH = "/commands";
  private static final int ADMIN_HTTP_VERSION = 11;

  private final ServerCnxnFactory clients;
  private final Optional<ServerCnxnFactory> secureClients;
  private final Optional<AdminServer> admin;
  private final int adminPort;

  private Ports(
      ServerCnxnFactory clients,
      Optional<ServerCnxnFactory> secureClients,
      Optional<AdminServer> admin,
      int adminPort) {
    this.clients = clients;
    this.secureClients = secureClients;
    this.admin = admin;
    this.adminPort = adminPort;
  }

  /**
   * Binds the ports.
   *
   * @throws IOException if one of them is not free, or the TLS configuration does not do
   */
  public static Ports bind(ListenOptions options) throws IOException {
    int most = options.maxConnectionsPerHost();
    var clients = new BoundedConnectionFactory();
    clients.configure(options.clientAddress(), most);
    try {
      Optional<ServerCnxnFactory> secure = Optional.empty();
      if (options.secureAddress().isPresent()) {
        ServerCnxnFactory withTls =
            new BoundedNettyConnectionFactory(
                BoundedConnection.MAX_UNREAD_BYTES, BoundedConnection.CLOSE_UNREAD_BYTES);
        withTls.configure(options.secureAddress().get(), most, DEFAULT_BACKLOG, true);
        secure = Optional.of(withTls);
      }
      Optional<AdminServer> admin = Optional.empty();
      if (options.adminPort().isPresent()) {
        String host = options.clientAddress().getHostString();
        admin = Optional.of(adminServer(host, options.adminPort().getAsInt()));
      }
      return new Ports(clients, secure, admin, options.adminPort().orElse(0));
    } catch (IOException | RuntimeException failure) {
      clients.shutdown();
      throw failure;
    }
  }

  private static AdminServer adminServer(String host, int port) throws IOException {
    AdminCommands.register();
    try {
      return new JettyAdminServer(
          host, port, ADMIN_IDLE_MILLIS, ADMIN_PATH, ADMIN_HTTP_VERSION, false, false, false);
    } catch (GeneralSecurityException impossible) {
      throw new IOException("cannot start the AdminServer", impossible);
    }
  }

  /** Begins to accept connections for a server. */
  public void open(TranslationServer server) throws IOException {
    try {
      clients.startup(server, false);
      if (secureClients.isPresent()) {
        secureClients.get().startup(server, false);
      }
    } catch (InterruptedException failure) {
      throw new IOException("cannot listen", failure);
    }
    if (admin.isPresent()) {
      startAdmin(admin.get(), server);
    }
  }

  private void startAdmin(AdminServer started, TranslationServer server) throws IOException {
    try {
      started.setZooKeeperServer(server);
      server.administerBy(started::setZooKeeperServer);
      started.start();
    } catch (AdminServer.AdminServerException failure) {
      throw new IOException(
          "the AdminServer cannot listen on %s:%d; choose another port"
              .formatted(clientAddress().getHostString(), adminPort),
          failure);
    }
  }

  /** Returns the address of the clients' port. */
  public InetSocketAddress clientAddress() {
    return clients.getLocalAddress();
  }

  /** Returns the address of the port with TLS, if there is one. */
  public Optional<InetSocketAddress> secureAddress() {
    return secureClients.map(ServerCnxnFactory::getLocalAddress);
  }

  /** Closes the ports and all connections. */
  @Override
  public void close() {
    admin.ifPresent(
        server -> {
          try {
            server.shutdown();
          } catch (AdminServer.AdminServerException ignored) {
            // It ends with the process.
          }
        });
    secureClients.ifPresent(ServerCnxnFactory::shutdown);
    clients.shutdown();
  }
}
