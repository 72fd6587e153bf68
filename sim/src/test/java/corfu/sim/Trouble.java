package corfu.sim;

import corfu.sim.cluster.SimServer;
import corfu.sim.world.SimNetwork;
import corfu.sim.world.SimRandom;
import java.util.List;

/**
 * Faults of log units while a test runs step by step. Units die and restart, lose power, are paused
 * or slow, and lose their connections. No fault is long enough to change the layout. The sequencer
 * has no faults, so that the test knows which tokens are issued.
 */
final class Trouble {

  /** The process whose connections break. */
  static final String TROUBLED = "troubled";

  private static final long PAUSE_NANOS_MIN = 1_000_000L;
  private static final long PAUSE_NANOS_MAX = 60_000_000L;
  private static final long LENGTH_NANOS_MAX = 400_000_000L;
  private static final int CLOG_FACTOR_MAX = 100;

  private final Scenario scenario;
  private final SimRandom chance;
  private final List<SimServer> units;
  private int happened;
  private boolean over;

  Trouble(Scenario scenario) {
    this.scenario = scenario;
    this.chance = scenario.simulator.chance.split();
    this.units = scenario.cluster.servers().stream().filter(SimServer::isLogUnit).toList();
  }

  void begin() {
    scenario.simulator.timeline.after(
        chance.between(PAUSE_NANOS_MIN, PAUSE_NANOS_MAX),
        () -> {
          if (!over) {
            happen(chance.pick(units));
            begin();
          }
        });
  }

  /** Returns the number of faults so far. */
  int happened() {
    return happened;
  }

  void end() {
    over = true;
  }

  private void happen(SimServer unit) {
    happened++;
    SimNetwork network = scenario.simulator.network;
    switch (chance.below(5)) {
      case 0 -> {
        unit.kill();
        later(unit::start);
      }
      case 1 -> {
        unit.losePower();
        later(unit::start);
      }
      case 2 ->
          unit.life()
              .ifPresent(
                  life -> {
                    life.pause();
                    later(life::resume);
                  });
      case 3 -> network.reset(TROUBLED, unit.name());
      default -> {
        var clog = new SimNetwork.Clog(unit.name(), 2 + chance.below(CLOG_FACTOR_MAX));
        network.clog(clog);
        later(() -> network.unclog(clog));
      }
    }
  }

  private void later(Runnable remedy) {
    scenario.simulator.timeline.after(chance.mostlyNear(0, LENGTH_NANOS_MAX), remedy);
  }
}
