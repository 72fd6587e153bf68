package corfu.transport.tcp;

import corfu.world.Loop;
import corfu.world.World;
import java.time.Instant;
import java.util.random.RandomGenerator;

/** A world whose calendar shows another time. */
record ShiftedClock(World real, Instant now) implements World {

  @Override
  public long nanoTime() {
    return real.nanoTime();
  }

  @Override
  public long wallTimeMillis() {
    return now.toEpochMilli();
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
  public Loop loop(String name) {
    return real.loop(name);
  }
}
