package corfu.objects.host;

import corfu.world.Loop;
import corfu.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Time stands still, and threads begin when they are told to. */
final class StillWorld implements World {
  final List<Runnable> bodies = new ArrayList<>();
  final List<Thread> begun = new ArrayList<>();
  long nanos = Long.MAX_VALUE - 10_000; // wraps soon

  void begin() {
    bodies.forEach(body -> begun.add(Thread.ofVirtual().start(body)));
    bodies.clear();
  }

  @Override
  public long nanoTime() {
    return nanos;
  }

  @Override
  public void work(String name, Runnable body) {
    bodies.add(body);
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
    throw new UnsupportedOperationException("there is no chance here");
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
