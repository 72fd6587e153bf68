package corfu.node;

import corfu.node.agent.Agent;
import corfu.objects.host.ViewHost;
import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.NodeReply;
import corfu.roles.Lease;
import corfu.roles.SetAside;
import corfu.roles.layout.DamagedLayoutFileException;
import corfu.roles.layout.LayoutServer;
import corfu.roles.logunit.DamagedStorageException;
import corfu.roles.logunit.LogUnit;
import corfu.roles.logunit.LogUnitOptions;
import corfu.roles.logunit.UnitMode;
import corfu.roles.sequencer.Sequencer;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.transport.RequestHandler;
import corfu.transport.Transport;
import corfu.world.Disk;
import corfu.world.Loop;
import corfu.world.Offload;
import corfu.world.World;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One server of a cluster, whatever it runs on: its roles, its lease, and beside a layout server
 * the agent that mends the cluster.
 *
 * <p>A server in memory mode keeps nothing at all: its layout server had better forget a cluster
 * whose log units do. Its methods may be called on any thread.
 */
public final class Server implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Server.class);

  private final World world;
  private final Loop loop;
  private final ClusterConfig cluster;
  private final ServerConfig config;
  private final NodeRoles roles;
  private final RequestHandler handler;
  private final LeaseKeeper keeper;
  private final Optional<Mender> mender;
  private final Optional<Vouching> vouching;
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
    this.mender = roles.logUnit().map(unit -> new Mender(world, loop, config.listen(), unit));
    this.vouching = roles.logUnit().map(unit -> vouching(unit, supervision, machine));
    roles.connect(handler, keeper, this::rebuilds, this::trouble);
  }

  /**
   * Opens the roles on what the machine has kept of them. Blocks while it reads.
   *
   * @param loop where the roles will live, and where {@link #handler} is to be called
   * @throws corfu.world.DiskException if a disk cannot be used
   */
  public static Server open(
      ClusterConfig cluster, ServerConfig config, World world, Loop loop, Machine machine) {
    return new Server(cluster, config, world, loop, machine);
  }

  private NodeRoles roles(Lease lease, Machine machine) {
    boolean forgets = cluster.mode() == UnitMode.MEMORY;
    Optional<Sequencer> sequencer = Optional.empty();
    if (config.has(RoleKind.SEQUENCER)) {
      sequencer =
          Optional.of(
              new Sequencer(
                  cluster.limits(), machine.sequencerOptions(), world.random().nextLong(), lease));
    }
    Optional<LayoutServer> layoutServer = Optional.empty();
    if (config.has(RoleKind.LAYOUT_SERVER)) {
      layoutServer =
          Optional.of(
              forgets
                  ? LayoutServer.inMemory(cluster.supervision().terms(), world)
                  : openLayoutServer(machine));
    }
    Optional<LogUnit> logUnit = Optional.empty();
    if (config.has(RoleKind.LOG_UNIT)) {
      LogUnitOptions options = machine.unitOptions(cluster.unitOptions());
      logUnit =
          Optional.of(
              forgets
                  ? LogUnit.inMemory(options, world, lease)
                  : openLogUnit(options, lease, machine));
    }
    return new NodeRoles(config.name(), sequencer, logUnit, layoutServer, views);
  }

  /**
   * One whose disk no longer tells what was acknowledged, or sealed, must not go on as if it did:
   * it begins another life, on which no layout relies.
   */
  private LogUnit openLogUnit(LogUnitOptions options, Lease lease, Machine machine) {
    Disk disk = machine.disk("log-unit");
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

  /** The same: one that has forgotten promises does not vote. */
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

  private Vouching vouching(LogUnit unit, Supervision supervision, Machine machine) {
    return new Vouching(
        world,
        loop,
        config.listen(),
        unit,
        this::layoutServers,
        keeper::newestEpoch,
        supervision.signs(),
        machine);
  }

  /** As long as no layout is known, those of the configuration. */
  private List<Endpoint> layoutServers() {
    return roles
        .newestLayout()
        .map(Layout::layoutServers)
        .orElse(cluster.endpointsOf(RoleKind.LAYOUT_SERVER));
  }

  private void beginAnew(String room, Disk disk, RuntimeException damage, Machine machine) {
    int files = SetAside.everything(disk);
    LOG.error(
        "server {} cannot trust its disk {} any more, and begins anew without what it held: {} The"
            + " {} files that were there are kept beside, as aside-*, until it is used again",
        config.name(),
        disk.description(),
        damage.getMessage(),
        files);
    machine.beganAnew(room);
  }

  /** A client for what is hosted here; waits until the server has a way to the others. */
  private Corfu connect() {
    CorfuOptions options = CorfuOptions.of(cluster.endpoints()).withLimits(cluster.limits());
    return Corfu.connect(options, world, started.join());
  }

  /** What its host of views holds; empty: it is none. */
  public Optional<ViewHost.Standing> hosted() {
    return views.map(ViewHost::standing);
  }

  /** Where requests go. */
  public RequestHandler handler() {
    return handler;
  }

  /** The newest layout that was kept. To be called on the loop, or before requests come. */
  public Optional<Layout> newestLayout() {
    return roles.newestLayout();
  }

  /** Its cluster, once it belongs to one. */
  public Optional<ClusterId> clusterId() {
    return roles.knownCluster();
  }

  /**
   * Starts to tell the others that this server lives, and to mend what fails.
   *
   * @param transport the way to the others; stays the caller's to close, after this server
   */
  public void start(Transport transport) {
    started.complete(transport);
    loop.execute(
        () -> {
          keeper.start(transport);
          mender.ifPresent(mends -> mends.start(transport));
          vouching.ifPresent(asks -> asks.start(transport));
        });
    if (config.has(RoleKind.LAYOUT_SERVER) && cluster.supervision().agent()) {
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

  /** The process has died: gives back memory and touches no file. Nothing may come afterwards. */
  public void abandon() {
    agent.ifPresent(Agent::close);
    views.ifPresent(ViewHost::abandon);
    keeper.stop();
    mender.ifPresent(Mender::stop);
    vouching.ifPresent(Vouching::stop);
    roles.abandon();
  }

  /** Ends the roles in good order, on their own thread. */
  @Override
  public void close() {
    agent.ifPresent(Agent::close);
    views.ifPresent(ViewHost::close);
    started.completeExceptionally(new IllegalStateException("the server is closed"));
    onLoop(
        () -> {
          keeper.stop();
          mender.ifPresent(Mender::stop);
          vouching.ifPresent(Vouching::stop);
          roles.close();
        });
  }

  /** Waits for it unless called on the loop. */
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
