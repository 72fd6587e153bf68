package corfu.sim.cluster;

import corfu.node.Machine;
import corfu.node.RoleKind;
import corfu.node.Server;
import corfu.node.ServerConfig;
import corfu.objects.host.HostOptions;
import corfu.protocol.Endpoint;
import corfu.protocol.Incarnation;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.sequencer.SequencerOptions;
import corfu.sim.disk.MountedDisk;
import corfu.sim.disk.SimDisk;
import corfu.sim.watch.ServerWatch;
import corfu.sim.watch.WatchedServer;
import corfu.sim.workload.object.ObjectViews;
import corfu.sim.world.ProcessLife;
import corfu.sim.world.SimListener;
import corfu.sim.world.SimTransport;
import corfu.sim.world.SimWorld;
import corfu.sim.world.Simulator;
import corfu.transport.ClientOptions;
import corfu.transport.RequestHandler;
import corfu.world.Disk;
import corfu.world.DiskException;
import corfu.world.DiskFullException;
import corfu.world.Loop;
import corfu.world.Offload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A server: disks that last, and one life after another. */
public final class SimServer {

  private static final int HOSTED_OBJECTS = 3;
  private static final long RESTART_NANOS = 500_000_000L;

  private final Simulator simulator;
  private final ClusterShape arrangement;
  private final ServerConfig config;
  private final SimDisk unitDisk;
  private final SimDisk layoutDisk;
  private final ServerWatch watch;
  private final CrashPoint crashPoint;
  private DiskKeeper keeper = DiskKeeper.NOBODY;
  private FrontDoor door = FrontDoor.PLAIN;
  private Optional<SimWorld> world = Optional.empty();
  private Optional<Running> running = Optional.empty();
  private Optional<Opening> opening = Optional.empty();
  private boolean stopping;
  private boolean gone;

  /** Is notified when disks are read at a start, and of the result. */
  public interface DiskKeeper {
    DiskKeeper NOBODY =
        new DiskKeeper() {
          @Override
          public void opens(SimServer server) {}

          @Override
          public void beganAnew(SimServer server, boolean unit) {}

          @Override
          public void recognised(SimServer server, Incarnation life, boolean hasAll) {}
        };

    /** The server's disks are about to be read. */
    void opens(SimServer server);

    /**
     * The server could not trust the disk of its log unit (or of its layout server), and began
     * anew.
     */
    void beganAnew(SimServer server, boolean unit);

    /**
     * Witnesses remember the progress of the log unit's disk. The disk has all of it and the unit
     * is about to serve; or it lacks some and the unit never serves in this life.
     */
    void recognised(SimServer server, Incarnation life, boolean hasAll);
  }

  /** Wraps the handler of requests that come over the network, once for each life. */
  @FunctionalInterface
  public interface FrontDoor {
    FrontDoor PLAIN = (server, handler, roles) -> handler;

    /**
     * Returns the handler of requests that come over the network.
     *
     * @param handler the server's own handler of requests of others
     * @param roles the handler behind its permissions
     */
    RequestHandler around(SimServer server, RequestHandler handler, RequestHandler roles);
  }

  /** A life that is still reading its disks. */
  private record Opening(SimWorld world, List<MountedDisk> disks) {}

  /** A server that has read its disks and serves. */
  private record Running(Loop loop, Server server, SimListener listener) {}

  public SimServer(
      Simulator simulator,
      ClusterShape arrangement,
      ServerConfig config,
      ServerWatch watch,
      CrashPoint crashPoint) {
    this.simulator = simulator;
    this.arrangement = arrangement;
    this.config = config;
    this.watch = watch;
    this.crashPoint = crashPoint;
    this.unitDisk = new SimDisk(name() + "/log-unit", SimDisk.DEFAULT_CAPACITY_BYTES);
    this.layoutDisk = new SimDisk(name() + "/layout", SimDisk.DEFAULT_CAPACITY_BYTES);
  }

  public void isKeptBy(DiskKeeper who) {
    keeper = who;
  }

  /** Lets this door stand before the server from its next life on. */
  public void isBehind(FrontDoor what) {
    door = what;
  }

  public String name() {
    return config.name();
  }

  public Endpoint endpoint() {
    return config.listen();
  }

  public SimDisk unitDisk() {
    return unitDisk;
  }

  public SimDisk layoutDisk() {
    return layoutDisk;
  }

  /** Returns the crash point, which kills the server at a step of a layout change or of a copy. */
  public CrashPoint crashPoint() {
    return crashPoint;
  }

  public boolean isLayoutServer() {
    return config.roles().contains(RoleKind.LAYOUT_SERVER);
  }

  public boolean isLogUnit() {
    return config.roles().contains(RoleKind.LOG_UNIT);
  }

  /** Returns the same server at another address, with copies of its disks. */
  SimServer cloned(String name, ServerWatch itsWatch) {
    ServerConfig other =
        new ServerConfig(
            name, ClusterShape.server(name), Path.of(name), config.roles(), config.spare());
    SimServer clone = new SimServer(simulator, arrangement, other, itsWatch, crashPoint);
    unitDisk.copyTo(clone.unitDisk, simulator.chance);
    layoutDisk.copyTo(clone.layoutDisk, simulator.chance);
    return clone;
  }

  public boolean isUp() {
    return world.isPresent();
  }

  public boolean isServing() {
    return running.isPresent() && !stopping;
  }

  /** Returns whether the server serves, is not paused, and has undisturbed disks. */
  boolean isUndisturbed() {
    return isServing()
        && life().filter(now -> !now.isPaused()).isPresent()
        && unitDisk.isUndisturbed()
        && layoutDisk.isUndisturbed();
  }

  public Optional<ProcessLife> life() {
    return world.map(SimWorld::life);
  }

  public void start() {
    if (isUp() || gone) {
      return;
    }
    say("starts");
    Opening fresh =
        new Opening(simulator.born(name(), arrangement.clockDriftPerMille()), new ArrayList<>());
    world = Optional.of(fresh.world());
    opening = Optional.of(fresh);
    Loop loop = fresh.world().loop("server");
    loop.execute(() -> open(fresh, loop));
  }

  private void open(Opening how, Loop loop) {
    if (world.filter(current -> current == how.world()).isEmpty()) {
      how.world().life().end(); // killed before it had begun
      return;
    }
    try {
      keeper.opens(this);
      Ground ground = new Ground(how);
      Server server = Server.open(arrangement.config(), config, how.world(), loop, ground);
      if (world.filter(current -> current == how.world()).isPresent()) {
        server.out().values().forEach(this::checkMayFail);
        how.disks().forEach(MountedDisk::isServing);
        serve(how.world(), loop, server, ground.roles.orElseThrow());
        if (!server.out().isEmpty()) {
          simulator.reached("a role is out, and the others serve");
          restartLater(how.world());
        }
      } else {
        server.abandon(); // killed after all disks were read
        how.world().life().end();
      }
    } catch (MountedDisk.PulledException killed) {
      how.world().life().end();
    } catch (DiskException failure) { // of its only role
      checkMayFail(failure);
      cannotStart(how, failure);
    }
  }

  /** Rethrows a failure, unless the disk is full or fails on purpose. */
  private void checkMayFail(DiskException failure) {
    if (!(failure instanceof DiskFullException) && !unitDisk.fails() && !layoutDisk.fails()) {
      throw failure;
    }
  }

  /**
   * Restarts the server some time later, as an operator does who sees in its status that a role is
   * out.
   */
  private void restartLater(SimWorld ailing) {
    simulator.timeline.after(
        RESTART_NANOS,
        () -> {
          if (world.filter(current -> current == ailing).isPresent() && !stopping) {
            kill();
            start();
          }
        });
  }

  /** Returns the scrubber's progress, or empty if it does not run. */
  public Optional<LogUnitReply.Scrubbed> scrubbed() {
    List<Reply> replies = new ArrayList<>();
    running
        .filter(serving -> isLogUnit() && !stopping)
        .ifPresent(
            serving ->
                serving.server().handler().handle(new LogUnitRequest.AskScrub(), replies::add));
    return replies.stream()
        .filter(LogUnitReply.Scrubbed.class::isInstance)
        .map(LogUnitReply.Scrubbed.class::cast)
        .findFirst();
  }

  /** Ends this life, and starts the server again as a process supervisor would. */
  private void cannotStart(Opening how, DiskException why) {
    simulator.trace.say(name(), () -> "cannot start: " + why.getMessage());
    how.world().life().end();
    if (world.filter(current -> current == how.world()).isPresent()) {
      world = Optional.empty();
      opening = Optional.empty();
      simulator.timeline.after(RESTART_NANOS, this::start);
    }
  }

  /** The machine of this life: its disks, whose operations belong to this life. */
  private final class Ground implements Machine {

    private final Opening opening;
    private Optional<RequestHandler> roles = Optional.empty();

    private Ground(Opening opening) {
      this.opening = opening;
    }

    @Override
    public Disk disk(String room) {
      SimDisk disk = room.equals("layout") ? layoutDisk : unitDisk;
      MountedDisk mounted = disk.mount(opening.world());
      opening.disks().add(mounted);
      return mounted;
    }

    @Override
    public Offload offload(String name, Loop loop) {
      return Offload.to(opening.world().loop(name), loop);
    }

    @Override
    public LogUnitOptions unitOptions(LogUnitOptions configured) {
      return arrangement.unitOptions();
    }

    @Override
    public SequencerOptions sequencerOptions() {
      return arrangement.sequencerOptions();
    }

    /** Leaves so little room that hosted objects are evicted. */
    @Override
    public HostOptions views(HostOptions configured) {
      return configured
          .withTypes(ObjectViews.HOSTED)
          .withRoom(configured.bytesMax(), HOSTED_OBJECTS)
          .withThreads(3, 2, 50);
    }

    @Override
    public void beganAnew(String room) {
      keeper.beganAnew(SimServer.this, room.equals("log-unit"));
    }

    @Override
    public void recognised(String room, Incarnation life, boolean hasAll) {
      keeper.recognised(SimServer.this, life, hasAll);
    }

    @Override
    public RequestHandler around(RequestHandler server) {
      RequestHandler watched = new WatchedServer(server, watch);
      roles = Optional.of(watched);
      return watched;
    }
  }

  private void serve(SimWorld world, Loop loop, Server server, RequestHandler roles) {
    opening = Optional.empty();
    SimListener listener =
        new SimListener(
            simulator.network,
            endpoint(),
            world.life(),
            loop,
            door.around(this, server.handler(), roles));
    running = Optional.of(new Running(loop, server, listener));
    say("serves");
    SimTransport way =
        new SimTransport(
            simulator.network,
            world,
            Optional.of(arrangement.layout().clusterId()),
            ClientOptions.DEFAULT.withLimits(arrangement.unitOptions().limits()));
    server.start(crashPoint.around(way, world.life()));
  }

  /** Kills the process. The operating system still writes the data that the process had written. */
  public void kill() {
    if (world.isEmpty()) {
      return;
    }
    say("is killed");
    watch.died();
    ProcessLife ending = world.get().life();
    world = Optional.empty();
    running.ifPresent(was -> was.server().abandon());
    running = Optional.empty();
    stopping = false;
    if (opening.isPresent()) {
      opening.get().disks().forEach(MountedDisk::pull); // the process frees its memory, then dies
      ending.resume();
    } else {
      ending.end();
    }
    opening = Optional.empty();
  }

  /** Kills the process for good. */
  void die() {
    kill();
    gone = true;
    say("is gone for good");
  }

  /** The machine loses power. */
  public void losePower() {
    kill();
    say("has lost power");
    unitDisk.losePower(simulator.chance);
    layoutDisk.losePower(simulator.chance);
  }

  /** Shuts the server down in good order. */
  public void stop() {
    if (running.isEmpty() || world.isEmpty() || stopping) {
      return;
    }
    say("stops");
    stopping = true;
    Running ending = running.get();
    ProcessLife life = world.get().life();
    ending
        .loop()
        .execute(
            () -> {
              ending.listener().close();
              ending.server().close();
              simulator.timeline.after(0, () -> ended(life));
            });
  }

  private void ended(ProcessLife life) {
    if (life().filter(now -> now == life).isPresent()) {
      say("has stopped");
      watch.died();
      life.end();
      world = Optional.empty();
      running = Optional.empty();
      stopping = false;
    }
  }

  private void say(String what) {
    simulator.trace.mark(what.hashCode());
    simulator.trace.say(name(), () -> what);
  }
}
