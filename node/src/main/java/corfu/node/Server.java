package corfu.node;

import corfu.node.access.ServerAccess;
import corfu.node.agent.Agent;
import corfu.objects.host.ViewHost;
import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.NodeReply;
import corfu.protocol.stream.LocalEntries;
import corfu.roles.Lease;
import corfu.roles.QuarantinedFiles;
import corfu.roles.layout.DamagedLayoutFileException;
import corfu.roles.layout.LayoutServer;
import corfu.roles.logunit.LogUnit;
import corfu.roles.logunit.format.DamagedStorageException;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.UnitMode;
import corfu.roles.sequencer.Sequencer;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.transport.RequestHandler;
import corfu.transport.Transport;
import corfu.world.DirectoryInUseException;
import corfu.world.Disk;
import corfu.world.DiskException;
import corfu.world.Loop;
import corfu.world.Offload;
import corfu.world.World;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One server of a cluster, independent of its environment: its roles, its lease and, beside a
 * layout server, the agent that repairs the cluster.
 *
 * <p>A server in memory mode stores nothing on disk. Its layout server must forget the cluster,
 * because the log units do. The methods may be called on any thread.
 */
public final class Server implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Server.class);

  /** A look at the permissions that takes longer is given up, and begins anew. */
  private static final Duration ACCESS_TIMEOUT = Duration.ofSeconds(2);

  private final World world;
  private final Loop loop;
  private final ClusterConfig cluster;
  private final ServerConfig config;
  private final NodeRoles roles;
  private final RequestHandler handler;
  private final Optional<ServerAccess> access;
  private final LeaseKeeper keeper;
  private final Optional<RepairScheduler> mender;
  private final Optional<RollbackDetector> vouching;

  /** The configured roles that do not run because their disks are unusable, with the reasons. */
  private final Map<RoleKind, DiskException> out = new EnumMap<>(RoleKind.class);

  private final CompletableFuture<Transport> started = new CompletableFuture<>();
  private final Optional<ViewHost> views;
  private volatile Optional<Agent> agent = Optional.empty();

  private Server(
      ClusterConfig cluster, ServerConfig config, World world, Loop loop, Machine machine) {
    this.world = world;
    this.loop = loop;
    this.cluster = cluster;
    this.config = config;
    Supervision supervision = cluster.supervision();
    ServerLease granted = new ServerLease(world);
    this.views =
        config.has(RoleKind.VIEWS)
            ? Optional.of(new ViewHost(world, loop, this::connect, machine.views(cluster.views())))
            : Optional.empty();
    this.roles = roles(supervision.leases() ? granted : Lease.always(), machine);
    this.handler = machine.around(roles);
    this.keeper =
        new LeaseKeeper(
            world,
            loop,
            config,
            cluster.endpointsOf(RoleKind.LAYOUT_SERVER),
            supervision,
            granted,
            roles);
    this.access =
        cluster
            .access()
            .map(
                trusted ->
                    new ServerAccess(
                        config.name(),
                        config.listen(),
                        world,
                        loop,
                        trusted,
                        cluster.limits(),
                        handler,
                        roles.logUnit().map(LogUnit::entries).orElse(LocalEntries.NONE),
                        roles::newestLayout,
                        keeper::askAgainSoon,
                        this::connectForAccess));
    this.mender =
        roles.logUnit().map(unit -> new RepairScheduler(world, loop, config.listen(), unit));
    this.vouching = roles.logUnit().map(unit -> vouching(unit, supervision, machine));
    roles.connect(handler, keeper, this::rebuilds, this::trouble);
  }

  /**
   * Opens the roles from their stored state. Blocks while it reads. A role with an unusable disk
   * does not run: the server reports the reason, and the other roles serve.
   *
   * @param cluster the cluster's configuration
   * @param config the server's configuration
   * @param world the clock and threads
   * @param loop the loop of the roles, on which {@link #handler} is called
   * @param machine the server's environment
   * @throws corfu.world.DirectoryInUseException if another server runs on its directory
   * @throws DiskException if a disk is unusable, and there is no other role
   */
  public static Server open(
      ClusterConfig cluster, ServerConfig config, World world, Loop loop, Machine machine) {
    return new Server(cluster, config, world, loop, machine);
  }

  private NodeRoles roles(Lease lease, Machine machine) {
    boolean forgets = cluster.mode() == UnitMode.MEMORY;
    Optional<Sequencer> sequencer = Optional.empty();
    if (config.isSequencerCandidate()) {
      sequencer =
          Optional.of(
              new Sequencer(
                  cluster.limits(), machine.sequencerOptions(), world.random().nextLong(), lease));
    }
    Optional<LayoutServer> layoutServer = Optional.empty();
    if (config.has(RoleKind.LAYOUT_SERVER)) {
      layoutServer =
          forgets
              ? Optional.of(LayoutServer.inMemory(cluster.supervision().terms(), world))
              : unlessOut(RoleKind.LAYOUT_SERVER, () -> openLayoutServer(machine));
    }
    Optional<LogUnit> logUnit = Optional.empty();
    if (config.has(RoleKind.LOG_UNIT)) {
      LogUnitOptions options = machine.unitOptions(cluster.unitOptions());
      logUnit =
          forgets
              ? Optional.of(LogUnit.inMemory(options, world, lease))
              : unlessOut(RoleKind.LOG_UNIT, () -> openLogUnit(options, lease, machine));
    }
    if (out.size() == config.roles().size()) {
      throw out.values().iterator().next();
    }
    Map<RoleKind, String> why = new EnumMap<>(RoleKind.class);
    out.forEach((kind, failure) -> why.put(kind, whyOut(kind, failure)));
    return new NodeRoles(
        config.name(), cluster.names(), sequencer, logUnit, layoutServer, views, why);
  }

  /** Opens a role. An unreadable role must not prevent the others from serving. */
  private <R> Optional<R> unlessOut(RoleKind kind, Supplier<R> opening) {
    try {
      return Optional.of(opening.get());
    } catch (DirectoryInUseException running) {
      throw running;
    } catch (DiskException failure) {
      out.put(kind, failure);
      LOG.error("server {}: {}", config.name(), whyOut(kind, failure), failure);
      return Optional.empty();
    }
  }

  private static String whyOut(RoleKind kind, DiskException failure) {
    return "its %s is out, because its disk cannot be used: %s; put that right, and restart it"
        .formatted(kind.text(), failure.getMessage());
  }

  /** Returns the roles that do not run, with the failures of their disks. */
  public Map<RoleKind, DiskException> out() {
    return Collections.unmodifiableMap(out);
  }

  /**
   * Opens the log unit. If its disk no longer proves what was acknowledged, or sealed, it begins
   * another life, on which no layout relies.
   */
  private LogUnit openLogUnit(LogUnitOptions configured, Lease lease, Machine machine) {
    Disk disk = machine.disk("log-unit");
    LogUnitOptions options = machine.fitted(configured, disk);
    Offload syncs = machine.offload("sync", loop);
    Offload upkeep = machine.offload("upkeep", loop);
    try {
      LogUnit unit = LogUnit.open(disk, options, world, syncs, upkeep, lease);
      unit.trust().doubt();
      return unit;
    } catch (DamagedStorageException damage) {
      beginAnew("log-unit", disk, damage, machine);
      return LogUnit.open(disk, options, world, syncs, upkeep, lease);
    }
  }

  /**
   * Opens the layout server. Likewise, a layout server that has lost promises begins another life,
   * and does not vote.
   */
  private LayoutServer openLayoutServer(Machine machine) {
    Disk disk = machine.disk("layout");
    Offload offload = machine.offload("layout", loop);
    try {
      return LayoutServer.open(disk, cluster.supervision().terms(), world, offload);
    } catch (DamagedLayoutFileException damage) {
      beginAnew("layout", disk, damage, machine);
      return LayoutServer.open(disk, cluster.supervision().terms(), world, offload);
    }
  }

  private RollbackDetector vouching(LogUnit unit, Supervision supervision, Machine machine) {
    return new RollbackDetector(
        world,
        loop,
        config.listen(),
        unit,
        this::layoutServers,
        keeper::newestEpoch,
        supervision.signs(),
        machine);
  }

  /**
   * Returns the layout servers of the newest layout, or of the configuration if no layout is known.
   */
  private List<Endpoint> layoutServers() {
    return roles
        .newestLayout()
        .map(Layout::layoutServers)
        .orElse(cluster.endpointsOf(RoleKind.LAYOUT_SERVER));
  }

  private void beginAnew(String room, Disk disk, RuntimeException damage, Machine machine) {
    int files = QuarantinedFiles.everything(disk);
    LOG.error(
        "server {} cannot trust its disk {} any more, and starts empty: {} Its {} old files were"
            + " renamed to aside-*, and stay until the role is used again",
        config.name(),
        disk.description(),
        damage.getMessage(),
        files);
    machine.beganAnew(room);
  }

  /** Creates a client for hosted views. Waits until the server has a transport to the others. */
  private Corfu connect() {
    return connect(ownOptions());
  }

  /** Creates the client that follows the permissions. */
  private Corfu connectForAccess() {
    return connect(ownOptions().withOperationTimeout(ACCESS_TIMEOUT));
  }

  private CorfuOptions ownOptions() {
    return CorfuOptions.of(cluster.endpoints()).withLimits(cluster.limits()).withoutReports();
  }

  private Corfu connect(CorfuOptions options) {
    return Corfu.connect(options, world, started.join());
  }

  /** Returns the standing of the server's view host, or empty if it hosts no views. */
  public Optional<ViewHost.Standing> hosted() {
    return views.map(ViewHost::standing);
  }

  /** Returns the handler of all requests of others: the gate, if permissions are enforced. */
  public RequestHandler handler() {
    return access.<RequestHandler>map(gate -> gate).orElse(handler);
  }

  /** Returns the newest stored layout. To be called on the loop, or before requests arrive. */
  public Optional<Layout> newestLayout() {
    return roles.newestLayout();
  }

  /** Returns the server's cluster, once it belongs to one. */
  public Optional<ClusterId> clusterId() {
    return roles.knownCluster();
  }

  /**
   * Starts the signs of life, and the repair of failures.
   *
   * @param transport the transport to the other servers; the caller closes it after this server
   */
  public void start(Transport transport) {
    started.complete(transport);
    loop.execute(
        () -> {
          keeper.start(transport);
          mender.ifPresent(mends -> mends.start(transport));
          vouching.ifPresent(asks -> asks.start(transport));
        });
    access.ifPresent(ServerAccess::start);
    if (roles.decidesLayouts() && cluster.supervision().agent()) {
      Agent mends =
          new Agent(
              world,
              loop,
              transport,
              config.listen(),
              roles::newestLayout,
              cluster.limits(),
              cluster.supervision().suspicion(),
              cluster.supervision().trust(),
              cluster.supervision().lease());
      agent = Optional.of(mends);
      mends.start();
    }
  }

  private List<NodeReply.Rebuild> rebuilds() {
    return agent.map(Agent::rebuilds).orElse(List.of());
  }

  private Optional<String> trouble() {
    return agent.flatMap(Agent::trouble);
  }

  /**
   * Frees memory after the process has died, and touches no file. No method may be called
   * afterwards.
   */
  public void abandon() {
    agent.ifPresent(Agent::close);
    views.ifPresent(ViewHost::abandon);
    access.ifPresent(ServerAccess::abandon);
    keeper.stop();
    mender.ifPresent(RepairScheduler::stop);
    vouching.ifPresent(RollbackDetector::stop);
    roles.abandon();
  }

  /**
   * Prepares the end of a server that others can still reach: waits a moment until its last audit
   * events are in the log. Must not be called on the loop.
   */
  public void finish() {
    access.ifPresent(ServerAccess::finish);
  }

  /** Ends the roles in good order, on their own thread. */
  @Override
  public void close() {
    agent.ifPresent(Agent::close);
    views.ifPresent(ViewHost::close);
    access.ifPresent(ServerAccess::close);
    started.completeExceptionally(new IllegalStateException("the server is closed"));
    onLoop(
        () -> {
          keeper.stop();
          mender.ifPresent(RepairScheduler::stop);
          vouching.ifPresent(RollbackDetector::stop);
          roles.close();
        });
  }

  /** Runs the task on the loop, and waits for it unless called on the loop. */
  private void onLoop(Runnable task) {
    if (loop.isInside()) {
      task.run();
      return;
    }
    CompletableFuture<Void> done = new CompletableFuture<>();
    loop.execute(
        () -> {
          try {
            task.run();
          } finally {
            done.complete(null);
          }
        });
    done.join();
  }
}
