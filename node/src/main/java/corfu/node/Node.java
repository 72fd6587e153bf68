package corfu.node;

import corfu.node.security.ListenCheck;
import corfu.protocol.Endpoint;
import corfu.transport.ClientOptions;
import corfu.transport.Transport;
import corfu.transport.tcp.TcpServer;
import corfu.transport.tcp.TcpServerOptions;
import corfu.transport.tcp.TcpTransport;
import corfu.transport.tls.TlsCredentials;
import corfu.transport.tls.TlsMode;
import corfu.world.RealWorld;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One server of a cluster, listening on TCP. Connections and roles share one thread; disks are
 * synced on others.
 */
public final class Node implements AutoCloseable {

  private final RealWorld world;
  private final TcpServer listener;
  private final RealMachine machine;
  private final Server server;
  private final Transport transport;
  private final TlsCredentials credentials;
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CountDownLatch closed = new CountDownLatch(1);

  private Node(
      RealWorld world,
      TcpServer listener,
      RealMachine machine,
      Server server,
      Transport transport,
      TlsCredentials credentials) {
    this.world = world;
    this.listener = listener;
    this.machine = machine;
    this.server = server;
    this.transport = transport;
    this.credentials = credentials;
  }

  /**
   * Starts one server of the configuration. It first recovers the content of its directory, then
   * listens.
   *
   * @throws ConfigException if no server has this name, its limits together exceed the memory, or
   *     it would listen beyond this machine without TLS, or has permissions without TLS
   * @throws corfu.transport.tls.TlsException if the files of TLS are missing or wrong, or if others
   *     may read the private key
   * @throws corfu.world.DirectoryInUseException if another server runs on its directory
   * @throws corfu.world.DiskException if its directory is unusable
   */
  public static Node start(ClusterConfig cluster, String name) {
    ServerConfig config = cluster.server(name);
    MemoryNeeds.check(cluster, config, Runtime.getRuntime().maxMemory());
    ListenCheck.objection(cluster.security(), name, config.listen())
        .ifPresent(
            reason -> {
              throw new ConfigException(reason);
            });
    checkNamesAreProven(cluster, name);
    RealWorld world = new RealWorld();
    RealMachine machine = new RealMachine(config, world);
    TlsCredentials credentials = TlsCredentials.off();
    TcpServer listener = null;
    try {
      credentials = TlsCredentials.open(world, config.tls(cluster.security()));
      TcpServerOptions options = TcpServerOptions.DEFAULT.withLimits(cluster.limits());
      listener =
          TcpServer.bind(
              world, config.listen().host(), config.listen().port(), options, credentials);
      Server server = Server.open(cluster, config, world, listener.loop(), machine);
      Transport transport =
          TcpTransport.open(
              world,
              server::clusterId,
              ClientOptions.DEFAULT.withLimits(cluster.limits()),
              credentials);
      listener.serve(server.handler());
      server.start(transport);
      return new Node(world, listener, machine, server, transport, credentials);
    } catch (RuntimeException failure) {
      if (listener != null) {
        listener.close();
      }
      credentials.close();
      machine.close();
      world.close();
      throw failure;
    }
  }

  /** Without TLS nobody proves a name, so that permissions would only look as if they held. */
  private static void checkNamesAreProven(ClusterConfig cluster, String name) {
    if (cluster.access().isPresent() && cluster.security().servers().mode() == TlsMode.OFF) {
      throw new ConfigException(
          "server "
              + name
              + " cannot enforce the permissions of [access], because no connection has TLS, and"
              + " nobody proves a name; set tls = \"required\" (or \"optional\", where clients"
              + " without a certificate are anonymous), or remove [access]");
    }
  }

  /** Returns the endpoint on which the server listens. */
  public Endpoint endpoint() {
    return listener.endpoint();
  }

  /** Waits until {@link #close} has been called. */
  public void awaitClosed() throws InterruptedException {
    closed.await();
  }

  /**
   * Stops listening, makes accepted writes durable, and gives up the directory. Only the first call
   * has an effect.
   */
  @Override
  public void close() {
    if (closing.getAndSet(true)) {
      return;
    }
    server.finish();
    listener.stop();
    server.close();
    transport.close();
    machine.close();
    listener.close();
    credentials.close();
    world.close();
    closed.countDown();
  }
}
