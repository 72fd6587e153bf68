package corfu.node;

import corfu.objects.host.ViewHost;
import corfu.protocol.Identity;
import corfu.protocol.layout.Layout;
import corfu.transport.ClientOptions;
import corfu.transport.Transport;
import corfu.transport.inprocess.InProcessNetwork;
import corfu.transport.inprocess.InProcessServer;
import corfu.transport.tcp.TcpServer;
import corfu.transport.tcp.TcpServerOptions;
import corfu.transport.tls.TlsCredentials;
import corfu.transport.tls.TlsMode;
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
      Optional<TcpServer> port,
      TlsCredentials credentials,
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
    TlsCredentials credentials = TlsCredentials.off();
    Optional<TcpServer> port = Optional.empty();
    Optional<Loop> own = Optional.empty();
    try {
      credentials = TlsCredentials.open(world, config.tls(cluster.security()));
      port = bind(world, credentials);
      Loop loop = port.map(TcpServer::loop).orElseGet(() -> world.loop("corfu-" + config.name()));
      own = Optional.of(loop);
      Server server = Server.open(cluster, config, world, loop, machine);
      server.newestLayout().ifPresent(check);
      Transport transport =
          network.transport(
              server::clusterId, ClientOptions.DEFAULT.withLimits(cluster.limits()), identity);
      InProcessServer listener = network.register(config.listen(), server.handler(), loop);
      port.ifPresent(open -> open.serve(server.handler()));
      server.start(transport);
      life =
          Optional.of(
              new Life(world, loop, machine, server, listener, port, credentials, transport));
    } catch (RuntimeException failure) {
      port.ifPresent(TcpServer::close);
      own.ifPresent(Loop::close);
      credentials.close();
      machine.close();
      world.close();
      throw failure;
    }
  }

  /** Listens for other processes if there is TLS. The port's loop is that of the roles, too. */
  private Optional<TcpServer> bind(RealWorld world, TlsCredentials credentials) {
    if (credentials.mode() == TlsMode.OFF) {
      return Optional.empty();
    }
    return Optional.of(
        TcpServer.bind(
            world,
            config.listen().host(),
            config.listen().port(),
            TcpServerOptions.DEFAULT.withLimits(cluster.limits()),
            credentials));
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
          running.server.finish();
          running.listener.close();
          running.port.ifPresent(TcpServer::stop);
          running.server.close();
          running.transport.close();
          running.port.ifPresent(TcpServer::close);
          running.loop.close();
          running.machine.close();
          running.credentials.close();
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
          running.port.ifPresent(TcpServer::stop);
          running.machine.abandon();
          CompletableFuture<Void> dead = new CompletableFuture<>();
          running.loop.execute(
              () -> {
                running.server.abandon();
                dead.complete(null);
              });
          dead.join();
          running.port.ifPresent(TcpServer::close);
          running.loop.close();
          running.credentials.close();
          running.world.close();
          running.transport.close();
          running.machine.close();
        });
    life = Optional.empty();
  }
}
