package corfu.roles.layout;

import corfu.world.Loop;
import corfu.world.World;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** A world in which time passes only on demand, and random numbers come from a seed. */
final class HandWorld implements World {

  private final RandomGenerator random;
  private long nanos = Long.MAX_VALUE - 1_000_000; // wraps soon

  HandWorld(long seed) {
    random = new SplittableRandom(seed);
  }

  void passMillis(long millis) {
    passNanos(millis * 1_000_000);
  }

  void passNanos(long passed) {
    nanos += passed;
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
