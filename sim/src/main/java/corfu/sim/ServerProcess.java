package corfu.sim;

import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.roles.layout.LayoutServer;
import corfu.roles.logunit.LogUnit;
import corfu.roles.sequencer.Sequencer;
import corfu.runtime.CorfuException;
import corfu.runtime.Reconfiguration;
import corfu.transport.ClientOptions;
import corfu.world.Loop;
import corfu.world.Offload;
import java.time.Duration;
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
  private boolean wasBootstrapped;

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
    return running.isPresent();
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
    SimWorld fresh = simulator.born(name(), arrangement.clockDriftPerMille());
    world = Optional.of(fresh);
    Loop loop = fresh.loop("server");
    loop.execute(() -> open(fresh, loop));
  }

  private void open(SimWorld world, Loop loop) {
    Optional<Sequencer> sequencer =
        endpoint.equals(arrangement.sequencer())
            ? Optional.of(
                new Sequencer(arrangement.unitOptions().limits(), world.random().nextLong()))
            : Optional.empty();
    Optional<LayoutServer> layoutServer =
        arrangement.layoutServers().contains(endpoint)
            ? Optional.of(
                LayoutServer.open(
                    layoutDisk.mount(world), Offload.to(world.loop("layout-disk"), loop)))
            : Optional.empty();
    Optional<LogUnit> logUnit =
        arrangement.units().contains(endpoint)
            ? Optional.of(
                LogUnit.open(
                    unitDisk.mount(world),
                    arrangement.unitOptions(),
                    world,
                    Offload.to(world.loop("syncs"), loop),
                    Offload.to(world.loop("background"), loop)))
            : Optional.empty();
    ServerRoles roles = new ServerRoles(name(), sequencer, logUnit, layoutServer, watch);
    SimListener listener = new SimListener(simulator.network, endpoint, world.life(), loop, roles);
    running = Optional.of(new Running(loop, roles, listener));
    say("serves");
    if (sequencer.isPresent() && wasBootstrapped) {
      Layout known =
          layoutServer
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
    life()
        .ifPresent(
            life -> {
              say("is killed");
              life.end();
              world = Optional.empty();
              running = Optional.empty();
            });
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
    if (running.isEmpty() || world.isEmpty()) {
      return;
    }
    say("stops");
    Running ending = running.get();
    running = Optional.empty();
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
    }
  }

  private void say(String what) {
    simulator.trace.mark(what.hashCode());
    simulator.trace.say(name(), () -> what);
  }
}
