package corfu.zookeeper;

import corfu.runtime.Corfu;
import corfu.smr.StateMachineReplica;
import corfu.world.World;
import corfu.zookeeper.machine.NamespaceMachine;
import corfu.zookeeper.server.AdminPort;
import corfu.zookeeper.server.Heartbeat;
import corfu.zookeeper.server.TranslationServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;

/**
 * A translation server: it serves the clients of ZooKeeper from a namespace in the log
 * (dissertation, section 6.1). Any number of servers, in any processes, may serve a namespace; each
 * sees the changes of all. A server keeps nothing on disk.
 *
 * <pre>{@code
 * try (var service = ZooKeeperService.open(client, ZooKeeperOptions.DEFAULT)) {
 *   service.awaitReady();
 *   String connectString = "localhost:" + service.clientPort();
 * }
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class ZooKeeperService implements AutoCloseable {

  private static final String PREFIX = "zookeeper/";

  private final ServerCnxnFactory factory;
  private final TranslationServer server;
  private final StateMachineReplica<NamespaceMachine> replica;
  private final Heartbeat heartbeat;
  private Optional<AdminPort> adminPort = Optional.empty();

  private ZooKeeperService(Corfu corfu, ZooKeeperOptions options) throws IOException {
    World world = corfu.streamAccess().world();
    this.server = new TranslationServer(world, options);
    this.factory = new NIOServerCnxnFactory();
    factory.configure(options.clientAddress(), options.maxConnectionsPerHost());
    this.replica =
        StateMachineReplica.open(
            corfu, nameOf(options.namespace()), server::newMachine, options.replica());
    server.open(replica);
    this.heartbeat = server.heartbeat(address(options));
  }

  /**
   * Starts a server. It listens at once, and serves when it has caught up with the log; see {@link
   * #awaitReady}. Four-letter words are answered before that.
   *
   * @throws IOException if the clients' port is not free
   */
  public static ZooKeeperService open(Corfu corfu, ZooKeeperOptions options) throws IOException {
    ZooKeeperService service = new ZooKeeperService(corfu, options);
    service.start();
    return service;
  }

  /** Returns the name of the state machine of a namespace. */
  public static String nameOf(String namespace) {
    return PREFIX + namespace;
  }

  private String address(ZooKeeperOptions options) {
    String host =
        options.advertisedHost().isEmpty()
            ? options.clientAddress().getHostString()
            : options.advertisedHost();
    return host + ":" + factory.getLocalPort();
  }

  private void start() {
    server.setServerCnxnFactory(factory);
    heartbeat.start();
    try {
      factory.startup(server, false);
    } catch (IOException | InterruptedException impossible) {
      throw new IllegalStateException("cannot listen", impossible);
    }
  }

  /**
   * Waits until this server has caught up with the log and serves clients.
   *
   * @throws IllegalStateException if the server has failed for good
   */
  public void awaitReady() {
    try {
      heartbeat.serving().join();
    } catch (CompletionException failed) {
      throw new IllegalStateException("the server cannot serve", failed.getCause());
    }
  }

  /** Returns a future that is done when this server serves clients, and fails if it ends before. */
  public CompletableFuture<Void> serving() {
    return heartbeat.serving();
  }

  /**
   * Returns a future that fails when the server has failed for good, and ends when it is closed.
   */
  public CompletableFuture<Void> ended() {
    return heartbeat.ended();
  }

  /**
   * Starts ZooKeeper's AdminServer, which answers commands over HTTP at {@code /commands}. {@link
   * #close} stops it. Call it once at most.
   *
   * @param address its host and port, from 1
   * @throws IOException if the port is not free
   */
  public synchronized void startAdminServer(InetSocketAddress address) throws IOException {
    adminPort = Optional.of(AdminPort.open(server, address));
  }

  private synchronized void closeAdminPort() {
    adminPort.ifPresent(AdminPort::close);
    adminPort = Optional.empty();
  }

  /** Returns the port of the clients. */
  public int clientPort() {
    return factory.getLocalPort();
  }

  /** Returns the address of the clients' port. */
  public InetSocketAddress clientAddress() {
    return factory.getLocalAddress();
  }

  /** Returns the replica of the namespace. */
  public StateMachineReplica<NamespaceMachine> replica() {
    return replica;
  }

  /** Stops the server. Its clients move on to other servers, with their sessions. */
  @Override
  public void close() {
    closeAdminPort();
    factory.shutdown();
    heartbeat.close();
    server.shutdown(true);
    replica.close();
  }
}
