package corfu.sim;

import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.roles.Lease;
import corfu.roles.layout.LayoutServer;
import corfu.roles.layout.LeaseTerms;
import corfu.roles.logunit.LogUnit;
import corfu.roles.sequencer.Sequencer;
import corfu.runtime.CorfuException;
import corfu.runtime.Reconfiguration;
import corfu.transport.ClientOptions;
import corfu.world.Loop;
import corfu.world.Offload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A server: disks that last, and one life after the other. */
final class ServerProcess {

  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(1);
  private static final Duration TRY_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final Simulator simulator;
  private final Arrangement arrangement;
  private final Endpoint endpoint;
  private final SimDisk unitDisk;
  private final SimDisk layoutDisk;
  private final ServerWatch watch;
  private Optional<SimWorld> world = Optional.empty();
  private Optional<Running> running = Optional.empty();
  private Optional<Opening> opening = Optional.empty();
  private boolean wasBootstrapped;
  private boolean stopping;

  /** A life that still reads its disks. */
  private record Opening(SimWorld world, List<MountedDisk> disks) {}

  /** What serves, once the disks have been read. */
  private record Running(Loop loop, ServerRoles roles, SimListener listener) {}

  ServerProcess(
      Simulator simulator, Arrangement arrangement, Endpoint endpoint, ServerWatch watch) {
    this.simulator = simulator;
    this.arrangement = arrangement;
    this.endpoint = endpoint;
    this.watch = watch;
    this.unitDisk = new SimDisk(name() + "/log-unit", Arrangement.DISK_BYTES);
    this.layoutDisk = new SimDisk(name() + "/layout", Arrangement.DISK_BYTES);
  }

  String name() {
    return endpoint.host();
  }

  SimDisk unitDisk() {
    return unitDisk;
  }

  boolean isUp() {
    return world.isPresent();
  }

  boolean isServing() {
    return running.isPresent() && !stopping;
  }

  Optional<Life> life() {
    return world.map(SimWorld::life);
  }

  /** From now on a new life of its sequencer knows that it was not the first. */
  void bootstrapped() {
    wasBootstrapped = true;
  }

  void start() {
    if (isUp()) {
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
    try {
      ServerRoles roles = roles(how, loop);
      if (world.filter(current -> current == how.world()).isPresent()) {
        serve(how.world(), loop, roles);
      } else {
        roles.abandon(); // killed when all was read
        how.world().life().end();
      }
    } catch (MountedDisk.PulledException killed) {
      how.world().life().end();
    }
  }

  private MountedDisk mount(SimDisk disk, Opening opening) {
    MountedDisk mounted = disk.mount(opening.world());
    opening.disks().add(mounted);
    return mounted;
  }

  private ServerRoles roles(Opening opening, Loop loop) {
    SimWorld world = opening.world();
    Optional<Sequencer> sequencer =
        endpoint.equals(arrangement.sequencer())
            ? Optional.of(
                new Sequencer(
                    arrangement.unitOptions().limits(), world.random().nextLong(), Lease.always()))
            : Optional.empty();
    Optional<LayoutServer> layoutServer =
        arrangement.layoutServers().contains(endpoint)
            ? Optional.of(
                LayoutServer.open(
                    mount(layoutDisk, opening),
                    LeaseTerms.OFF,
                    world,
                    Offload.to(world.loop("layout-disk"), loop)))
            : Optional.empty();
    Optional<LogUnit> logUnit =
        arrangement.units().contains(endpoint)
            ? Optional.of(
                LogUnit.open(
                    mount(unitDisk, opening),
                    arrangement.unitOptions(),
                    world,
                    Offload.to(world.loop("syncs"), loop),
                    Offload.to(world.loop("background"), loop)))
            : Optional.empty();
    return new ServerRoles(name(), sequencer, logUnit, layoutServer, watch);
  }

  private void serve(SimWorld world, Loop loop, ServerRoles roles) {
    opening = Optional.empty();
    SimListener listener = new SimListener(simulator.network, endpoint, world.life(), loop, roles);
    running = Optional.of(new Running(loop, roles, listener));
    say("serves");
    if (roles.sequencer().isPresent() && wasBootstrapped) {
      Layout known =
          roles
              .layoutServer()
              .flatMap(LayoutServer::newestLayout)
              .orElse(arrangement.layout()); // no older than its configuration
      world.start("sequencer-keeper", () -> keepSequencer(world, known));
    }
  }

  /** A sequencer that comes back has forgotten its count: a new epoch must start it. */
  private void keepSequencer(SimWorld world, Layout known) {
    Reconfiguration reconfiguration = reconfiguration(world);
    while (true) {
      try {
        Layout serving = reconfiguration.serve(known);
        say("its sequencer serves epoch " + serving.epoch());
        return;
      } catch (CorfuException notYet) {
        say("its sequencer cannot start yet: " + notYet.getMessage());
        world.pause(PAUSE);
      }
    }
  }

  private Reconfiguration reconfiguration(SimWorld world) {
    SimTransport transport =
        new SimTransport(
            simulator.network,
            world,
            Optional.of(arrangement.layout().clusterId()),
            ClientOptions.DEFAULT.withLimits(arrangement.unitOptions().limits()));
    return new Reconfiguration(world, transport, REQUEST_TIMEOUT, TRY_TIMEOUT);
  }

  /** The process is killed; what it had written, the operating system still writes. */
  void kill() {
    if (world.isEmpty()) {
      return;
    }
    say("is killed");
    Life ending = world.get().life();
    world = Optional.empty();
    running.ifPresent(was -> was.roles().abandon());
    running = Optional.empty();
    stopping = false;
    if (opening.isPresent()) {
      opening.get().disks().forEach(MountedDisk::pull); // it gives back its memory, then dies
      ending.resume();
    } else {
      ending.end();
    }
    opening = Optional.empty();
  }

  /** The machine loses power. */
  void losePower() {
    kill();
    say("has lost power");
    unitDisk.losePower(simulator.chance);
    layoutDisk.losePower(simulator.chance);
  }

  /** Stops in good order, then is gone. */
  void stop() {
    if (running.isEmpty() || world.isEmpty() || stopping) {
      return;
    }
    say("stops");
    stopping = true;
    Running ending = running.get();
    Life life = world.get().life();
    ending
        .loop()
        .execute(
            () -> {
              ending.listener().close();
              ending.roles().close();
              simulator.timeline.after(0, () -> ended(life));
            });
  }

  private void ended(Life life) {
    if (life().filter(now -> now == life).isPresent()) {
      say("has stopped");
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
