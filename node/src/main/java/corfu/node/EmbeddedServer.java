package corfu.node;

import corfu.objects.host.ViewHost;
import corfu.protocol.Identity;
import corfu.protocol.layout.Layout;
import corfu.transport.ClientOptions;
import corfu.transport.Transport;
import corfu.transport.inprocess.InProcessNetwork;
import corfu.transport.inprocess.InProcessServer;
import corfu.world.Loop;
import corfu.world.RealWorld;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** One server of a cluster inside this JVM, which can be killed and restarted. For one thread. */
final class EmbeddedServer {

  private final ClusterConfig cluster;
  private final ServerConfig config;
  private final InProcessNetwork network;
  private final Identity identity;
  private Optional<Life> life = Optional.empty();

  /** Everything that ends with the server's process. */
  private record Life(
      RealWorld world,
      Loop loop,
      RealMachine machine,
      Server server,
      InProcessServer listener,
      Transport transport) {}

  /**
   * @param identity the server's name at the other servers
   */
  EmbeddedServer(
      ClusterConfig cluster, ServerConfig config, InProcessNetwork network, Identity identity) {
    this.cluster = cluster;
    this.config = config;
    this.network = network;
    this.identity = identity;
  }

  String name() {
    return config.name();
  }

  /**
   * Starts the server unless it runs.
   *
   * @param check receives the stored layout, before any client can reach the server
   */
  void start(Consumer<Layout> check) {
    if (life.isPresent()) {
      return;
    }
    RealWorld world = new RealWorld();
    RealMachine machine = new RealMachine(config, world);
    Loop loop = world.loop("corfu-" + config.name());
    try {
      Server server = Server.open(cluster, config, world, loop, machine);
      server.newestLayout().ifPresent(check);
      Transport transport =
          network.transport(
              server::clusterId, ClientOptions.DEFAULT.withLimits(cluster.limits()), identity);
      InProcessServer listener = network.register(config.listen(), server.handler(), loop);
      server.start(transport);
      life = Optional.of(new Life(world, loop, machine, server, listener, transport));
    } catch (RuntimeException failure) {
      loop.close();
      machine.close();
      world.close();
      throw failure;
    }
  }

  /**
   * Returns the standing of the server's view host, or empty if it hosts no views or does not run.
   */
  Optional<ViewHost.Standing> hosted() {
    return life.flatMap(running -> running.server.hosted());
  }

  /** Ends the server in good order. */
  void close() {
    life.ifPresent(
        running -> {
          running.listener.close();
          running.server.close();
          running.transport.close();
          running.loop.close();
          running.machine.close();
          running.world.close();
        });
    life = Optional.empty();
  }

  /**
   * Ends the server as if its process were killed. Pending writes are lost, and waiting clients get
   * no answers.
   */
  void kill() {
    life.ifPresent(
        running -> {
          running.listener.close();
          running.machine.abandon();
          CompletableFuture<Void> dead = new CompletableFuture<>();
          running.loop.execute(
              () -> {
                running.server.abandon();
                dead.complete(null);
              });
          dead.join();
          running.loop.close();
          running.world.close();
          running.transport.close();
          running.machine.close();
        });
    life = Optional.empty();
  }
}
