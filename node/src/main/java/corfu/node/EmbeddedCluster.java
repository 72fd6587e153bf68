package corfu.node;

import corfu.objects.host.HostOptions;
import corfu.objects.host.ViewHost;
import corfu.protocol.Endpoint;
import corfu.protocol.Limits;
import corfu.protocol.layout.Layout;
import corfu.roles.logunit.options.UnitMode;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.transport.ClientOptions;
import corfu.transport.Transport;
import corfu.transport.inprocess.InProcessNetwork;
import corfu.world.RealWorld;
import corfu.world.World;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A whole cluster inside this JVM, for tests, development and small uses: on a directory, where it
 * finds again tomorrow what it holds today, or in memory.
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

  /** Servers inside one JVM are told apart by port; there is no socket behind it. */
  private static final int FIRST_PORT = 1;

  private final ClusterConfig config;
  private final RealWorld world;
  private final Transport transport;
  private final List<EmbeddedServer> servers = new ArrayList<>();
  private final List<Corfu> clients = new ArrayList<>();

  private EmbeddedCluster(ClusterConfig config) {
    this.config = config;
    this.world = new RealWorld();
    InProcessNetwork network = new InProcessNetwork(world);
    this.transport =
        network.transport(Optional::empty, ClientOptions.DEFAULT.withLimits(config.limits()));
    try {
      for (ServerConfig server : config.servers()) {
        EmbeddedServer member = new EmbeddedServer(config, server, network);
        servers.add(member);
        member.start(this::check);
      }
      check(Bootstrap.bootstrap(config, world, transport));
    } catch (RuntimeException failure) {
      close();
      throw failure;
    }
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

  /** Starts a cluster of any configuration; the addresses in it are but names. */
  static EmbeddedCluster start(ClusterConfig config) {
    return new EmbeddedCluster(config);
  }

  /** A cluster of one node in memory, until the builder is told otherwise. */
  public static Builder builder() {
    return new Builder();
  }

  /** Another client, which the cluster closes when it is closed itself. */
  public Corfu connect() {
    return connect(clientOptions());
  }

  /** Another client, with options of its own; the cluster closes it when it is closed itself. */
  public Corfu connect(CorfuOptions options) {
    return connect(options, way -> way);
  }

  /** A client whose way to the servers is changed first; for tests of what happens on that way. */
  Corfu connect(CorfuOptions options, UnaryOperator<Transport> way) {
    Corfu corfu = Corfu.connect(options, world, way.apply(transport));
    clients.add(corfu);
    return corfu;
  }

  /** The defaults of clients of this cluster. */
  public CorfuOptions clientOptions() {
    return CorfuOptions.of(config.endpoints()).withLimits(config.limits());
  }

  /** The way to the servers, for who changes the cluster rather than use its log. */
  public Transport transport() {
    return transport;
  }

  /** The world that the servers live in. */
  public World world() {
    return world;
  }

  /** The names of the servers, by their addresses in layouts and reports. */
  public String nameOf(Endpoint server) {
    return config.servers().stream()
        .filter(member -> member.listen().equals(server))
        .map(ServerConfig::name)
        .findFirst()
        .orElse(server.toString());
  }

  /**
   * Ends a server as if its process had been killed. A cluster that has an agent goes on without
   * it.
   *
   * @param name n1, n2, ...
   * @throws ConfigException if there is no such server
   */
  public void kill(String name) {
    find(name).kill();
  }

  /**
   * Starts a server that was killed; one in memory has forgotten what it held.
   *
   * @throws ConfigException if there is no such server
   */
  public void restart(String name) {
    find(name).start(this::check);
  }

  /** What this server's host of views holds; empty: it is none, or does not run. */
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

  /** Stops everything; what was acknowledged is on the directory. */
  @Override
  public void close() {
    clients.forEach(Corfu::close);
    servers.forEach(EmbeddedServer::close);
    transport.close();
    world.close();
  }

  /** What an embedded cluster is like. */
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

    private Builder() {}

    /** How many servers; each is a log unit. */
    public Builder nodes(int count) {
      nodes = count;
      return this;
    }

    /** How many of the nodes wait until another one fails. */
    public Builder spares(int count) {
      spares = count;
      return this;
    }

    /** How many copies of each entry. */
    public Builder replicas(int count) {
      replicas = count;
      return this;
    }

    /**
     * How many copies more in each of an entry's streams, on nodes of their own; none by default.
     */
    public Builder streamReplicas(int count) {
      streamReplicas = count;
      return this;
    }

    /** Where to keep everything; a directory of an earlier run is recovered. */
    public Builder directory(Path path) {
      directory = Optional.of(path);
      return this;
    }

    /** Keep nothing. */
    public Builder inMemory() {
      directory = Optional.empty();
      return this;
    }

    /** When a write is acknowledged; durable by default where there is a directory. */
    public Builder mode(UnitMode unitMode) {
      mode = Optional.of(unitMode);
      return this;
    }

    public Builder limits(Limits clusterLimits) {
      limits = clusterLimits;
      return this;
    }

    /** What one log unit's files may measure, 256 KiB or more. */
    public Builder capacityBytes(long bytes) {
      capacityBytes = bytes;
      return this;
    }

    /** How the servers look after each other. */
    public Builder supervision(Supervision how) {
      supervision = how;
      return this;
    }

    /** Every node hosts views of objects, for {@code ReplicatedObjects.remote()}. */
    public Builder views(HostOptions how) {
      views = Optional.of(how);
      return this;
    }

    /**
     * Starts the cluster; it serves when this returns.
     *
     * @throws ConfigException if the settings exclude each other
     * @throws corfu.world.DiskException if the directory cannot be used
     */
    public EmbeddedCluster start() {
      UnitMode unitMode = mode.orElse(directory.isPresent() ? UnitMode.DURABLE : UnitMode.MEMORY);
      if (directory.isEmpty() && unitMode != UnitMode.MEMORY) {
        throw new ConfigException(
            "an embedded cluster in " + unitMode.text() + " mode needs a directory");
      }
      ClusterConfig config =
          ClusterConfig.local(directory.orElse(Path.of("")), FIRST_PORT, nodes, replicas, unitMode)
              .withSpares(spares)
              .withStreamReplicas(streamReplicas)
              .withCapacity(capacityBytes)
              .withLimits(limits)
              .withSupervision(supervision);
      return new EmbeddedCluster(views.map(config::withViews).orElse(config));
    }
  }
}
