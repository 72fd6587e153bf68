package corfu.runtime.cluster;

import corfu.access.AccessPolicy;
import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Identity;
import corfu.protocol.Limits;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.Wanted;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.UnitMode;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.runtime.reconfiguration.Reconfiguration;
import corfu.transport.ClientOptions;
import corfu.transport.Transport;
import corfu.transport.inprocess.InProcessNetwork;
import corfu.world.RealWorld;
import corfu.world.World;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * A cluster of roles inside this JVM. Each server n1, n2, ... has a log unit and a sequencer; the
 * first three of three or more, and the first one of fewer, decide layouts. No server has an agent
 * or needs a lease: nothing changes unless a client or the test changes it.
 */
public final class RoleCluster implements AutoCloseable {

  /** Servers inside one JVM are told apart by port; there is no socket behind it. */
  private static final int FIRST_PORT = 1;

  private static final int LAYOUT_SERVERS = 3;
  private static final long MEMORY_SHARE = 4;
  private static final int FILES_OF_A_UNIT = 64;
  private static final int SMALLEST_FILE_BYTES = 4096;
  private static final int LARGEST_FILE_BYTES = 64 << 20;

  /** Of requests and reconfigurations: however busy the machine is, they are done by then. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** The servers' name in a gated cluster, and that of clients which prove no other. */
  static final Identity SERVER = new Identity("spiffe://test/server");

  private final Builder settings;
  private final RealWorld world = new RealWorld();
  private final InProcessNetwork network = new InProcessNetwork(world);
  private final Transport transport;
  private final List<RoleServer> servers = new ArrayList<>();
  private final List<Corfu> clients = new ArrayList<>();
  private final List<Transport> transports = new ArrayList<>();

  private RoleCluster(Builder settings) {
    this.settings = settings;
    this.transport = openTransport();
    for (int i = 0; i < settings.nodes; i++) {
      RoleServer server = new RoleServer(this, "n" + (i + 1), endpoint(i), i < layoutServers());
      servers.add(server);
      server.start();
    }
    try {
      var unused = bootstrap();
    } catch (RuntimeException failure) {
      close();
      throw failure;
    }
  }

  /** A cluster of one server in memory, until the builder is told otherwise. */
  public static Builder builder() {
    return new Builder();
  }

  /** Connects another client, which the cluster closes when it is closed itself. */
  public Corfu connect() {
    return connect(clientOptions());
  }

  /** Connects another client, which the cluster closes when it is closed itself. */
  public Corfu connect(CorfuOptions options) {
    return connect(options, way -> way);
  }

  /**
   * Connects another client, whose transport is changed first. The cluster closes the client when
   * it is closed itself.
   */
  public Corfu connect(CorfuOptions options, UnaryOperator<Transport> way) {
    Corfu corfu = Corfu.connect(options, world, way.apply(transport));
    clients.add(corfu);
    return corfu;
  }

  /** Returns the defaults of clients of this cluster. */
  public CorfuOptions clientOptions() {
    return CorfuOptions.of(endpoints()).withLimits(settings.limits);
  }

  /** Returns the clients' transport to the servers. */
  public Transport transport() {
    return transport;
  }

  /** Returns the world of the clients. */
  public World world() {
    return world;
  }

  /** Returns a reconfiguration of this cluster that outlasts a busy machine. */
  public Reconfiguration reconfiguration() {
    return new Reconfiguration(world, transport, PATIENCE, PATIENCE);
  }

  /**
   * Decides the first layout, and starts its sequencer. A layout that was decided before stays.
   *
   * @return the cluster's layout
   */
  public Layout bootstrap() {
    ClusterId id = new ClusterId(new UUID(world.random().nextLong(), world.random().nextLong()));
    List<Endpoint> all = endpoints();
    Wanted wanted = new Wanted(all.size(), settings.replicas, settings.streamReplicas);
    return reconfiguration()
        .bootstrap(
            Layout.initial(
                id,
                settings.sequencers ? all : List.of(),
                all.subList(0, layoutServers()),
                all,
                wanted));
  }

  /**
   * Seals the epoch of a client and begins the next one, whose sequencer remembers nothing.
   *
   * @return the next epoch's layout
   */
  public Layout changeEpoch(Corfu client) {
    return reconfiguration().renew(client.layout());
  }

  /**
   * Ends a server as if its process had been killed.
   *
   * @param name n1, n2, ...
   */
  public void kill(String name) {
    server(name).kill();
  }

  /**
   * Starts a server that was killed. A server in memory has forgotten everything.
   *
   * @param name n1, n2, ...
   */
  public void restart(String name) {
    server(name).start();
  }

  private RoleServer server(String name) {
    return servers.stream()
        .filter(server -> server.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no server " + name));
  }

  private List<Endpoint> endpoints() {
    List<Endpoint> endpoints = new ArrayList<>();
    for (int i = 0; i < settings.nodes; i++) {
      endpoints.add(endpoint(i));
    }
    return endpoints;
  }

  private static Endpoint endpoint(int index) {
    return new Endpoint("127.0.0.1", FIRST_PORT + index);
  }

  private int layoutServers() {
    return settings.nodes >= LAYOUT_SERVERS ? LAYOUT_SERVERS : 1;
  }

  InProcessNetwork network() {
    return network;
  }

  /** Connects another client with a proven name, which the cluster closes when it is closed. */
  public Corfu connectAs(String identity, CorfuOptions options) {
    Transport proven =
        network.transport(
            Optional::empty,
            ClientOptions.DEFAULT.withLimits(settings.limits),
            new Identity(identity));
    transports.add(proven);
    Corfu corfu = Corfu.connect(options, world, proven);
    clients.add(corfu);
    return corfu;
  }

  /** Has all servers enforce this policy, if the cluster is gated. */
  public void enforce(AccessPolicy policy) {
    servers.forEach(server -> server.enforce(policy));
  }

  boolean isGated() {
    return settings.gated;
  }

  Transport openTransport() {
    return network.transport(
        Optional::empty,
        ClientOptions.DEFAULT.withLimits(settings.limits),
        settings.gated ? SERVER : Identity.ANONYMOUS);
  }

  Limits limits() {
    return settings.limits;
  }

  Optional<RoleNeighbor.Opener> neighbor() {
    return settings.neighbor;
  }

  /** Returns the directory of one server's log unit; none in memory. */
  Optional<Path> unitDirectory(String server) {
    return settings.directory.map(path -> path.resolve(server).resolve("log-unit"));
  }

  LogUnitOptions unitOptions() {
    LogUnitOptions options =
        settings.directory.isPresent()
            ? LogUnitOptions.onDisk(settings.mode)
                .withLogFileBytes(fileBytes())
                .withCapacityBytes(settings.capacityBytes)
            : LogUnitOptions.inMemory(Runtime.getRuntime().maxMemory() / MEMORY_SHARE);
    return options.withLimits(settings.limits);
  }

  private int fileBytes() {
    return Math.clamp(
        settings.capacityBytes / FILES_OF_A_UNIT & -SMALLEST_FILE_BYTES,
        SMALLEST_FILE_BYTES,
        LARGEST_FILE_BYTES);
  }

  @Override
  public void close() {
    clients.forEach(Corfu::close);
    servers.forEach(RoleServer::close);
    transports.forEach(Transport::close);
    transport.close();
    world.close();
  }

  /** The settings of a cluster. */
  public static final class Builder {

    private int nodes = 1;
    private int replicas = 1;
    private int streamReplicas;
    private boolean sequencers = true;
    private Limits limits = Limits.DEFAULT;
    private Optional<Path> directory = Optional.empty();
    private UnitMode mode = UnitMode.MEMORY;
    private long capacityBytes = Long.MAX_VALUE;
    private Optional<RoleNeighbor.Opener> neighbor = Optional.empty();
    private boolean gated;

    private Builder() {}

    /** How many servers; one by default. */
    public Builder nodes(int count) {
      nodes = count;
      return this;
    }

    /** How many copies of each entry; one by default. */
    public Builder replicas(int count) {
      replicas = count;
      return this;
    }

    /** How many further copies in each of an entry's streams, on servers of their own. */
    public Builder streamReplicas(int count) {
      streamReplicas = count;
      return this;
    }

    /** Layouts name no sequencer. */
    public Builder withoutSequencer() {
      sequencers = false;
      return this;
    }

    public Builder limits(Limits clusterLimits) {
      limits = clusterLimits;
      return this;
    }

    /**
     * Log units keep their entries in files; layout servers remember nothing after a restart.
     *
     * @param capacity the largest total size of one log unit's files, in bytes
     */
    public Builder directory(Path path, UnitMode unitMode, long capacity) {
      directory = Optional.of(path);
      mode = unitMode;
      capacityBytes = capacity;
      return this;
    }

    /** Each server has this beside its roles. */
    public Builder neighbor(RoleNeighbor.Opener opener) {
      neighbor = Optional.of(opener);
      return this;
    }

    /**
     * Each server enforces permissions. Clients without a proven name count as servers. Servers
     * settle what others may not.
     */
    public Builder gated() {
      gated = true;
      return this;
    }

    /** Starts the cluster; it serves when this returns. */
    public RoleCluster start() {
      return new RoleCluster(this);
    }
  }
}
