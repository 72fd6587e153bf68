package corfu.runtime.reconfiguration;

import corfu.world.Loop;
import corfu.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** A world of one thread, in which time passes only by pauses, and at once. */
final class PausingWorld implements World {

  private final RandomGenerator random = new SplittableRandom(1);
  private final List<Duration> pauses = new ArrayList<>();
  private long nanos = Long.MAX_VALUE - 1_000_000; // wraps soon

  /** Returns the pauses so far, in their order. */
  List<Duration> pauses() {
    return pauses;
  }

  @Override
  public void pause(Duration duration) {
    pauses.add(duration);
    nanos += duration.toNanos();
  }

  @Override
  public long nanoTime() {
    return nanos;
  }

  @Override
  public long wallTimeMillis() {
    throw new UnsupportedOperationException("there is no calendar here");
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
    throw new UnsupportedOperationException("no other threads here");
  }

  @Override
  public Loop loop(String name) {
    throw new UnsupportedOperationException("no loops here");
  }
}
