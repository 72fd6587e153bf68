package corfu.proof.fuzz;

import corfu.world.Loop;
import corfu.world.World;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** A world where no time passes, no other thread runs, and random numbers are always the same. */
public final class StillWorld implements World {

  private final RandomGenerator random = new SplittableRandom(1);

  @Override
  public long nanoTime() {
    return 0;
  }

  @Override
  public long wallTimeMillis() {
    return 0;
  }

  @Override
  public Timer after(long delayNanos, Runnable task) {
    throw new UnsupportedOperationException("nothing happens later here");
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  @Override
  public Thread start(String name, Runnable body) {
    throw new UnsupportedOperationException("no threads here");
  }

  @Override
  public Loop loop(String name) {
    throw new UnsupportedOperationException("no threads here");
  }
}
