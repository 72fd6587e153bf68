package corfu.sim.world;

import corfu.world.Loop;
import corfu.world.World;
import java.util.random.RandomGenerator;

/**
 * The world of one life of a simulated process. Its clock may be fast or slow, and begins at any
 * time. Its threads run in turns on the simulation's single thread.
 */
public final class SimWorld implements World {

  private static final long WALL_START_MILLIS = 1_700_000_000_000L;

  private final Timeline timeline;
  private final ProcessLife life;
  private final SimRandom chance;
  private final double rate;
  private final long clockStart;
  private final long bornNanos;
  private final Loop timers;

  /**
   * @param driftPerMille the drift of the clock in per mille: positive if fast, negative if slow;
   *     above -1000
   */
  public SimWorld(Timeline timeline, ProcessLife life, SimRandom chance, int driftPerMille) {
    this.timeline = timeline;
    this.life = life;
    this.chance = chance;
    this.rate = (1000.0 + driftPerMille) / 1000.0;
    // Only differences have a meaning: some clocks wrap a few seconds after their start.
    this.clockStart =
        chance.oneIn(4) ? Long.MAX_VALUE - chance.between(0, 10_000_000_000L) : chance.nextLong();
    this.bornNanos = timeline.nowNanos();
    this.timers = loop("timers");
  }

  public ProcessLife life() {
    return life;
  }

  public SimRandom chance() {
    return chance;
  }

  @Override
  public long nanoTime() {
    return clockStart + (long) ((timeline.nowNanos() - bornNanos) * rate);
  }

  @Override
  public long wallTimeMillis() {
    return WALL_START_MILLIS + timeline.nowNanos() / 1_000_000;
  }

  /** Runs the task after the delay by this world's clock, and never early. */
  @Override
  public Timer after(long delayNanos, Runnable task) {
    long delay = (long) (delayNanos / rate) + 2;
    Timeline.Event event = life.after(delay, () -> timers.execute(task));
    return event::cancel;
  }

  @Override
  public RandomGenerator random() {
    return chance.generator();
  }

  @Override
  public Thread start(String name, Runnable body) {
    return VirtualThreads.start(name, life::soon, () -> life.guard("thread " + name, body));
  }

  @Override
  public Loop loop(String name) {
    return new SimLoop(this, name);
  }
}
