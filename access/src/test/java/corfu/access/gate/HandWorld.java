package corfu.access.gate;

import corfu.world.Loop;
import corfu.world.World;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** A world in which time passes only on demand. */
final class HandWorld implements World {

  private final RandomGenerator random = new SplittableRandom(5);
  private long nanos = 1_000;

  void passMillis(long millis) {
    nanos += millis * 1_000_000;
  }

  @Override
  public long nanoTime() {
    return nanos;
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
