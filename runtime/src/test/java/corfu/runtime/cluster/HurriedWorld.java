package corfu.runtime.cluster;

import corfu.world.Loop;
import corfu.world.World;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * A real world for a client whose time a test advances at a chosen moment. So a deadline comes
 * exactly after an event.
 */
public final class HurriedWorld implements World {

  private final World real;
  private final AtomicLong aheadNanos = new AtomicLong();

  public HurriedWorld(World real) {
    this.real = real;
  }

  /** Advances the client's time at once. */
  public void pass(Duration time) {
    aheadNanos.addAndGet(time.toNanos());
  }

  @Override
  public long nanoTime() {
    return real.nanoTime() + aheadNanos.get();
  }

  @Override
  public long wallTimeMillis() {
    return real.wallTimeMillis();
  }

  @Override
  public Timer after(long delayNanos, Runnable task) {
    return real.after(delayNanos, task);
  }

  @Override
  public RandomGenerator random() {
    return real.random();
  }

  @Override
  public Thread start(String name, Runnable body) {
    return real.start(name, body);
  }

  @Override
  public void work(String name, Runnable body) {
    real.work(name, body);
  }

  @Override
  public Loop loop(String name) {
    return real.loop(name);
  }

  @Override
  public void giveWay() {
    real.giveWay();
  }
}
