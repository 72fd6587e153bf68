package corfu.pki;

import corfu.world.Loop;
import corfu.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** A world whose clock goes on only when a test says so. It has no threads and no timers. */
public final class FixedWorld implements World {

  private final RandomGenerator random = new SplittableRandom(1);
  private Instant now = Instant.parse("2026-03-01T12:00:00Z");

  public void pass(Duration time) {
    now = now.plus(time);
  }

  public Instant now() {
    return now;
  }

  @Override
  public long wallTimeMillis() {
    return now.toEpochMilli();
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  @Override
  public long nanoTime() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Timer after(long delayNanos, Runnable task) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Thread start(String name, Runnable body) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Loop loop(String name) {
    throw new UnsupportedOperationException();
  }
}
