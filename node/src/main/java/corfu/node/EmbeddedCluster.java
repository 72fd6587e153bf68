package corfu.node;

import corfu.access.Subject;
import corfu.access.gate.TrustedIdentities;
import corfu.node.security.LoopbackAuthority;
import corfu.objects.host.HostOptions;
import corfu.objects.host.ViewHost;
import corfu.protocol.Endpoint;
import corfu.protocol.Identity;
import corfu.protocol.Limits;
import corfu.protocol.layout.Layout;
import corfu.roles.logunit.options.UnitMode;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.transport.ClientOptions;
import corfu.transport.Transport;
import corfu.transport.inprocess.InProcessNetwork;
import corfu.transport.tls.TlsMode;
import corfu.world.RealWorld;
import corfu.world.World;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A whole cluster inside this JVM, for tests, development and small uses. It is in memory, or on a
 * directory from which it recovers its content at the next start.
 *
 * <pre>{@code
 * try (EmbeddedCluster cluster =
 *         EmbeddedCluster.builder().nodes(3).replicas(2).directory(path).start();
 *     Corfu corfu = cluster.connect()) {
 *   corfu.log().append("hello".getBytes(UTF_8));
 * }
 * }</pre>
 */
public final class EmbeddedCluster implements AutoCloseable {

  /**
   * The first port. Ports distinguish servers inside one JVM; without TLS there are no sockets
   * behind them.
   */
  private static final int FIRST_PORT = 1;

  /** The beginning of the name of the servers and of this process, which nobody else can guess. */
  private static final String OWN_NAME = "corfu/embedded/";

  private final ClusterConfig config;
  private final RealWorld world;
  private final InProcessNetwork network;
  private final Transport transport;
  private final List<Transport> transports = new ArrayList<>();
  private final List<EmbeddedServer> servers = new ArrayList<>();
  private final List<Corfu> clients = new ArrayList<>();

  private EmbeddedCluster(ClusterConfig configured) {
    this.world = new RealWorld();
    Identity own = new Identity(OWN_NAME + Long.toHexString(world.random().nextLong()));
    this.config =
        configured
            .access()
            .map(trusted -> configured.withAccess(trusting(own, trusted)))
            .orElse(configured);
    this.network = new InProcessNetwork(world);
    this.transport = transportOf(own);
    try {
      for (ServerConfig server : config.servers()) {
        EmbeddedServer member = new EmbeddedServer(config, server, network, own);
        servers.add(member);
        member.start(this::check);
      }
      check(Bootstrap.bootstrap(config, world, transport));
    } catch (RuntimeException failure) {
      close();
      throw failure;
    }
  }

  private static TrustedIdentities trusting(Identity own, TrustedIdentities configured) {
    List<Subject> servers = new ArrayList<>(configured.servers());
    servers.add(new Subject.Exact(own));
    return new TrustedIdentities(servers, configured.administrators());
  }

  /** Returns a transport of a client with this name, which the cluster closes with itself. */
  Transport transportOf(Identity identity) {
    Transport way =
        network.transport(
            Optional::empty, ClientOptions.DEFAULT.withLimits(config.limits()), identity);
    transports.add(way);
    return way;
  }

  private void check(Layout layout) {
    if (!config.endpoints().containsAll(layout.servers())) {
      throw new ConfigException(
          "the directory belongs to a cluster of "
              + layout.servers().size()
              + " servers, but this one has "
              + config.endpoints().size()
              + "; give it as many nodes as it had");
    }
  }

  /** Starts a cluster with any configuration; without TLS, its addresses are only names. */
  static EmbeddedCluster start(ClusterConfig config) {
    return new EmbeddedCluster(config);
  }

  /** Returns a builder whose defaults are one node in memory. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Creates a client, which the cluster closes with itself. It may do everything: the cluster
   * belongs to this process.
   */
  public Corfu connect() {
    return connect(clientOptions());
  }

  /**
   * Creates a client whose name the servers take as proven. The cluster closes it with itself. If
   * the cluster was started without {@link Builder#access}, it may do everything.
   */
  public Corfu connect(Identity identity) {
    return connect(clientOptions(), identity);
  }

  /** Creates a client with its own options and a proven name. */
  public Corfu connect(CorfuOptions options, Identity identity) {
    return connect(options, unused -> transportOf(identity));
  }

  /** Creates a client with its own options, which the cluster closes with itself. */
  public Corfu connect(CorfuOptions options) {
    return connect(options, way -> way);
  }

  /** Creates a client with a changed transport, for tests of transport failures. */
  Corfu connect(CorfuOptions options, UnaryOperator<Transport> way) {
    Corfu corfu = Corfu.connect(options, world, way.apply(transport));
    clients.add(corfu);
    return corfu;
  }

  /** Returns the default options of this cluster's clients. */
  public CorfuOptions clientOptions() {
    return CorfuOptions.of(config.endpoints()).withLimits(config.limits());
  }

  /**
   * Creates a client that connects by TLS as another process does. The cluster closes it with
   * itself.
   *
   * @throws ConfigException if the cluster was started without {@link Builder#tls}
   */
  public Corfu connectByTls() {
    Corfu corfu = Corfu.connect(remoteOptions());
    clients.add(corfu);
    return corfu;
  }

  /** Returns whether other processes can connect. */
  public boolean hasTls() {
    return config.security().servers().mode() != TlsMode.OFF;
  }

  /**
   * Returns the options with which another process connects to this cluster by TLS, as a client
   * without special rights. The paths in them are those of this machine.
   *
   * @throws ConfigException if the cluster was started without {@link Builder#tls}
   */
  public CorfuOptions remoteOptions() {
    if (!hasTls()) {
      throw new ConfigException(
          "this embedded cluster listens on no port: start it with tls(directory, port)");
    }
    return clientOptions().withTls(LoopbackAuthority.client(config.security()));
  }

  /**
   * Returns the transport to the servers, for code that changes the cluster instead of using its
   * log.
   */
  public Transport transport() {
    return transport;
  }

  /** Returns the world of the servers. */
  public World world() {
    return world;
  }

  /** Returns the name of a server by its address in layouts and reports. */
  public String nameOf(Endpoint server) {
    return config.servers().stream()
        .filter(member -> member.listen().equals(server))
        .map(ServerConfig::name)
        .findFirst()
        .orElse(server.toString());
  }

  /**
   * Ends a server as if its process were killed. A cluster with an agent continues without it.
   *
   * @param name the server's name: n1, n2, ...
   * @throws ConfigException if there is no such server
   */
  public void kill(String name) {
    find(name).kill();
  }

  /**
   * Starts a killed server. A server in memory has lost its content.
   *
   * @throws ConfigException if there is no such server
   */
  public void restart(String name) {
    find(name).start(this::check);
  }

  /**
   * Returns the standing of this server's view host, or empty if it hosts no views or does not run.
   */
  Optional<ViewHost.Standing> hosted(String name) {
    return find(name).hosted();
  }

  private EmbeddedServer find(String name) {
    ServerConfig wanted = config.server(name);
    return servers.stream()
        .filter(server -> server.name().equals(wanted.name()))
        .findFirst()
        .orElseThrow();
  }

  /** Stops everything. Acknowledged entries stay in the directory. */
  @Override
  public void close() {
    clients.forEach(Corfu::close);
    servers.forEach(EmbeddedServer::close);
    transports.forEach(Transport::close);
    world.close();
  }

  /** The settings of an embedded cluster. */
  public static final class Builder {

    private int nodes = 1;
    private int spares;
    private int replicas = 1;
    private int streamReplicas;
    private Optional<Path> directory = Optional.empty();
    private Optional<UnitMode> mode = Optional.empty();
    private Limits limits = Limits.DEFAULT;
    private long capacityBytes = ClusterConfig.UNLIMITED;
    private Supervision supervision = Supervision.DEFAULT;
    private Optional<HostOptions> views = Optional.empty();
    private Optional<Path> pki = Optional.empty();
    private int firstPort = FIRST_PORT;
    private Optional<TrustedIdentities> access = Optional.empty();

    private Builder() {}

    /** Sets the number of servers, each of which is a log unit. */
    public Builder nodes(int count) {
      nodes = count;
      return this;
    }

    /** Sets the number of nodes that wait until another one fails. */
    public Builder spares(int count) {
      spares = count;
      return this;
    }

    /** Sets the number of copies of each entry. */
    public Builder replicas(int count) {
      replicas = count;
      return this;
    }

    /**
     * Sets the number of additional copies in each of an entry's streams, on nodes of their own; 0
     * by default.
     */
    public Builder streamReplicas(int count) {
      streamReplicas = count;
      return this;
    }

    /** Sets the directory of the cluster's data. The directory of an earlier run is recovered. */
    public Builder directory(Path path) {
      directory = Optional.of(path);
      return this;
    }

    /** Stores nothing on disk. */
    public Builder inMemory() {
      directory = Optional.empty();
      return this;
    }

    /** Sets when a write is acknowledged; durable by default if there is a directory. */
    public Builder mode(UnitMode unitMode) {
      mode = Optional.of(unitMode);
      return this;
    }

    public Builder limits(Limits clusterLimits) {
      limits = clusterLimits;
      return this;
    }

    /** Sets the largest size of one log unit's files in bytes, 256 KiB or more. */
    public Builder capacityBytes(long bytes) {
      capacityBytes = bytes;
      return this;
    }

    /** Sets how the servers supervise each other. */
    public Builder supervision(Supervision how) {
      supervision = how;
      return this;
    }

    /** Makes every node host views of objects, for {@code ReplicatedObjects.remote()}. */
    public Builder views(HostOptions how) {
      views = Optional.of(how);
      return this;
    }

    /**
     * Lets other processes of this machine connect, by mutual TLS only. Each server listens on a
     * loopback port, and a first start makes an authority and certificates. {@link
     * EmbeddedCluster#remoteOptions} connects another process; {@code corfu status --tls-dir}
     * works, too.
     *
     * <p>Clients of {@link EmbeddedCluster#connect}, and the servers among themselves, stay inside
     * the process: nobody can listen there, and encryption would only cost time.
     *
     * @param directory the authority's directory, in which {@code corfu cert} renews certificates
     * @param port the port of the first server; the others follow. A cluster with a directory
     *     always needs the same ones, because its layout names them.
     */
    public Builder tls(Path directory, int port) {
      pki = Optional.of(directory);
      firstPort = port;
      return this;
    }

    /**
     * Makes the servers enforce permissions. Try them with {@link
     * EmbeddedCluster#connect(Identity)}.
     *
     * @param administrators identities, or prefixes of identities with {@code *} behind them, which
     *     may do everything, the first to give permissions to others
     */
    public Builder access(String... administrators) {
      access =
          Optional.of(
              new TrustedIdentities(
                  List.of(), Stream.of(administrators).map(Subject::parse).toList()));
      return this;
    }

    /**
     * Starts the cluster, which serves when this method returns.
     *
     * @throws ConfigException if the settings exclude each other
     * @throws corfu.world.DiskException if the directory is unusable
     * @throws corfu.pki.PkiException if the authority's directory is unusable
     * @throws corfu.transport.tcp.CannotListenException if a port is not free
     */
    public EmbeddedCluster start() {
      UnitMode unitMode = mode.orElse(directory.isPresent() ? UnitMode.DURABLE : UnitMode.MEMORY);
      if (directory.isEmpty() && unitMode != UnitMode.MEMORY) {
        throw new ConfigException(
            "an embedded cluster in " + unitMode.text() + " mode needs a directory");
      }
      ClusterConfig config =
          ClusterConfig.local(directory.orElse(Path.of("")), firstPort, nodes, replicas, unitMode)
              .withSpares(spares)
              .withStreamReplicas(streamReplicas)
              .withCapacity(capacityBytes)
              .withLimits(limits)
              .withSupervision(supervision);
      ClusterConfig hosting = views.map(config::withViews).orElse(config);
      ClusterConfig whole = access.map(hosting::withAccess).orElse(hosting);
      return new EmbeddedCluster(pki.map(path -> secured(whole, path)).orElse(whole));
    }

    private static ClusterConfig secured(ClusterConfig config, Path directory) {
      List<String> names = config.servers().stream().map(ServerConfig::name).toList();
      try (RealWorld world = new RealWorld()) {
        return config.withSecurity(LoopbackAuthority.prepare(directory, names, world));
      }
    }
  }
}
