package corfu.zookeeper;

import corfu.runtime.Corfu;
import corfu.runtime.EntryTooLargeException;
import corfu.smr.StateMachineReplica;
import corfu.world.World;
import corfu.zookeeper.machine.NamespaceMachine;
import corfu.zookeeper.server.Heartbeat;
import corfu.zookeeper.server.Ports;
import corfu.zookeeper.server.TranslationServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.jute.BinaryInputArchive;

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

  /** A command has a header and the identities of the client before the request's bytes. */
  private static final int MAX_COMMAND_HEADER_BYTES = 1 << 16;

  private final Ports ports;
  private final TranslationServer server;
  private final StateMachineReplica<NamespaceMachine> replica;
  private final Heartbeat heartbeat;

  private ZooKeeperService(Corfu corfu, ZooKeeperOptions options) throws IOException {
    World world = corfu.streamAccess().world();
    this.server = new TranslationServer(world, options);
    this.ports = Ports.bind(options.listen());
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
   * @throws IOException if a port is not free
   * @throws IllegalArgumentException if an entry of the log has no room for a request of {@code
   *     jute.maxbuffer} bytes
   */
  public static ZooKeeperService open(Corfu corfu, ZooKeeperOptions options) throws IOException {
    requireRoomForRequests(corfu);
    ZooKeeperService service = new ZooKeeperService(corfu, options);
    service.start();
    return service;
  }

  private static void requireRoomForRequests(Corfu corfu) {
    long bytes = (long) BinaryInputArchive.maxBuffer + MAX_COMMAND_HEADER_BYTES;
    try {
      corfu
          .streamAccess()
          .checkFits("the longest request's command", (int) Math.min(bytes, Integer.MAX_VALUE));
    } catch (EntryTooLargeException tooLong) {
      throw new IllegalArgumentException(
          "jute.maxbuffer is %d bytes, and a command of the log has up to %d bytes more: lower it."
                  .formatted(BinaryInputArchive.maxBuffer, MAX_COMMAND_HEADER_BYTES)
              + " Otherwise, %s".formatted(tooLong.getMessage()),
          tooLong);
    }
  }

  /** Returns the name of the state machine of a namespace. */
  public static String nameOf(String namespace) {
    return PREFIX + namespace;
  }

  private String address(ZooKeeperOptions options) {
    String host =
        options.listen().advertisedHost().isEmpty()
            ? options.listen().clientAddress().getHostString()
            : options.listen().advertisedHost();
    return host + ":" + ports.clientAddress().getPort();
  }

  private void start() throws IOException {
    heartbeat.start();
    try {
      ports.open(server);
    } catch (IOException failure) {
      close();
      throw failure;
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

  /** Returns the port of the clients. */
  public int clientPort() {
    return ports.clientAddress().getPort();
  }

  /** Returns the address of the clients' port. */
  public InetSocketAddress clientAddress() {
    return ports.clientAddress();
  }

  /** Returns the address of the clients' port with TLS, if there is one. */
  public Optional<InetSocketAddress> secureAddress() {
    return ports.secureAddress();
  }

  /** Returns the replica of the namespace. */
  public StateMachineReplica<NamespaceMachine> replica() {
    return replica;
  }

  /** Stops the server. Its clients move on to other servers, with their sessions. */
  @Override
  public void close() {
    ports.close();
    heartbeat.close();
    server.shutdown(true);
    replica.close();
  }
}
