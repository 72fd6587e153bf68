package corfu.sim;

import corfu.protocol.layout.Layout;
import corfu.runtime.CorfuException;
import corfu.runtime.Reconfiguration;
import corfu.transport.ClientOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * Somebody who reconfigures the cluster. What an operator has begun it finishes, if need be in its
 * next life: a half-done reconfiguration has sealed what only a finished one opens again.
 */
final class Operator {

  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(1);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final Simulator simulator;
  private final Arrangement arrangement;
  private final String name;
  private Optional<Life> life = Optional.empty();
  private int wanted;
  private boolean bootstrapped;

  Operator(Simulator simulator, Arrangement arrangement, String name) {
    this.simulator = simulator;
    this.arrangement = arrangement;
    this.name = name;
  }

  String name() {
    return name;
  }

  boolean isIdle() {
    return wanted == 0;
  }

  boolean hasBootstrapped() {
    return bootstrapped;
  }

  void bootstrap() {
    SimWorld world = born();
    world.start(
        "bootstrap",
        () -> {
          untilDone(world, reconfiguration -> reconfiguration.bootstrap(arrangement.layout()));
          bootstrapped = true;
          rest();
        });
  }

  /** Replaces the layout by the next one. */
  void renew() {
    wanted++;
    if (wanted == 1) {
      start();
    }
  }

  /** Goes on with what it has not finished. */
  void start() {
    if (wanted > 0 && life.isEmpty()) {
      SimWorld world = born();
      world.start("renew", () -> renewAll(world));
    }
  }

  private void renewAll(SimWorld world) {
    while (wanted > 0) {
      untilDone(world, reconfiguration -> reconfiguration.renew(arrangement.layout()));
      wanted--;
    }
    rest();
  }

  private void rest() {
    life.ifPresent(Life::end);
    life = Optional.empty();
  }

  private SimWorld born() {
    SimWorld world = simulator.born(name, arrangement.clockDriftPerMille());
    life = Optional.of(world.life());
    return world;
  }

  private void untilDone(SimWorld world, Function<Reconfiguration, Layout> what) {
    SimTransport transport =
        new SimTransport(
            simulator.network,
            world,
            Optional.empty(),
            ClientOptions.DEFAULT.withLimits(arrangement.unitOptions().limits()));
    Reconfiguration reconfiguration =
        new Reconfiguration(world, transport, REQUEST_TIMEOUT, TIMEOUT);
    while (true) {
      try {
        Layout layout = what.apply(reconfiguration);
        simulator.trace.say(name, () -> "made epoch " + layout.epoch());
        return;
      } catch (CorfuException notYet) {
        simulator.trace.say(name, () -> "cannot reconfigure yet: " + notYet.getMessage());
        world.pause(PAUSE);
      }
    }
  }

  void kill() {
    if (life.isPresent()) {
      simulator.trace.say(name, () -> "is killed");
      life.get().end();
      life = Optional.empty();
    }
  }
}
