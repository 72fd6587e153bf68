package corfu.node;

import corfu.node.agent.Agent;
import corfu.objects.host.ViewHost;
import corfu.protocol.ClusterId;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.NodeReply;
import corfu.roles.Lease;
import corfu.roles.layout.LayoutServer;
import corfu.roles.logunit.LogUnit;
import corfu.roles.logunit.LogUnitOptions;
import corfu.roles.logunit.UnitMode;
import corfu.roles.sequencer.Sequencer;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.transport.RequestHandler;
import corfu.transport.Transport;
import corfu.world.Loop;
import corfu.world.World;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One server of a cluster, whatever it runs on: its roles, its lease, and beside a layout server
 * the agent that mends the cluster.
 *
 * <p>A server in memory mode keeps nothing at all: its layout server had better forget a cluster
 * whose log units do. Its methods may be called on any thread.
 */
public final class Server implements AutoCloseable {

  private final World world;
  private final Loop loop;
  private final ClusterConfig cluster;
  private final ServerConfig config;
  private final NodeRoles roles;
  private final RequestHandler handler;
  private final LeaseKeeper keeper;
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
    roles.connect(handler, keeper::layoutChanged, this::rebuilds);
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
                  : LayoutServer.open(
                      machine.disk("layout"),
                      cluster.supervision().terms(),
                      world,
                      machine.offload("layout", loop)));
    }
    Optional<LogUnit> logUnit = Optional.empty();
    if (config.has(RoleKind.LOG_UNIT)) {
      LogUnitOptions options = machine.unitOptions(cluster.unitOptions());
      logUnit =
          Optional.of(
              forgets
                  ? LogUnit.inMemory(options, world, lease)
                  : LogUnit.open(
                      machine.disk("log-unit"),
                      options,
                      world,
                      machine.offload("sync", loop),
                      machine.offload("upkeep", loop),
                      lease));
    }
    return new NodeRoles(config.name(), sequencer, logUnit, layoutServer, views);
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
    loop.execute(() -> keeper.start(transport));
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

  /** The process has died: gives back memory and touches no file. Nothing may come afterwards. */
  public void abandon() {
    agent.ifPresent(Agent::close);
    views.ifPresent(ViewHost::abandon);
    keeper.stop();
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
