package corfu.transport.inprocess;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Identity;
import corfu.transport.ClientOptions;
import corfu.transport.RequestHandler;
import corfu.transport.Transport;
import corfu.world.Loop;
import corfu.world.World;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A network within one process: registered servers, and the clients that can reach them.
 * Thread-safe.
 */
public final class InProcessNetwork {

  private final World world;
  private final Map<Endpoint, InProcessServer> servers = new ConcurrentHashMap<>();

  /** The threads that complete futures now without being a server's loop. */
  private final Set<Thread> completing = ConcurrentHashMap.newKeySet();

  public InProcessNetwork(World world) {
    this.world = world;
  }

  /**
   * Registers a server, which is reachable until it is stopped. Its handler is called on the loop,
   * and replies on the loop.
   *
   * @throws IllegalStateException if another server is registered at the endpoint
   */
  public InProcessServer register(Endpoint endpoint, RequestHandler handler, Loop loop) {
    InProcessServer server = new InProcessServer(this, endpoint, handler, loop);
    if (servers.putIfAbsent(endpoint, server) != null) {
      throw new IllegalStateException(
          "another server of this process is registered at " + endpoint + "; stop that one first");
    }
    return server;
  }

  /**
   * Returns a client's transport to these servers.
   *
   * @param cluster returns the expected cluster, or empty while any will do; called before each
   *     request, on any thread
   * @param options the bounds of the client side
   */
  public Transport transport(Supplier<Optional<ClusterId>> cluster, ClientOptions options) {
    return transport(cluster, options, Identity.ANONYMOUS);
  }

  /**
   * Returns the transport of a client whose name the servers take as proven.
   *
   * @param cluster returns the expected cluster, or empty while any will do; called before each
   *     request, on any thread
   * @param options the bounds of the client side
   * @param identity the client's name
   */
  public Transport transport(
      Supplier<Optional<ClusterId>> cluster, ClientOptions options, Identity identity) {
    return new InProcessTransport(this, cluster, options, identity);
  }

  World world() {
    return world;
  }

  @Nullable InProcessServer server(Endpoint endpoint) {
    return servers.get(endpoint);
  }

  Iterable<InProcessServer> servers() {
    return servers.values();
  }

  void remove(InProcessServer server) {
    servers.remove(server.endpoint(), server);
  }

  /**
   * Runs a task that completes futures. Code that depends on these futures must not wait for room,
   * which only other threads can make.
   */
  void completing(Runnable task) {
    Thread thread = Thread.currentThread();
    boolean outermost = completing.add(thread);
    try {
      task.run();
    } finally {
      if (outermost) {
        completing.remove(thread);
      }
    }
  }

  /** Returns whether the caller runs on a thread on which replies arrive. */
  boolean isOnThreadOfMine() {
    return completing.contains(Thread.currentThread())
        || servers.values().stream().anyMatch(InProcessServer::isInside);
  }
}
