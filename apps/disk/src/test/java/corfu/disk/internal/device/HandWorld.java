package corfu.disk.internal.device;

import corfu.world.Loop;
import corfu.world.World;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;

/** A world whose clock a test moves, and whose threads run at once. Not thread-safe. */
final class HandWorld implements World {

  private record Task(long atNanos, Runnable body) {}

  private final Random random = new Random(1);
  private final List<Task> tasks = new ArrayList<>();
  private long nowNanos;

  /** Moves the clock, and runs what is due. */
  void pass(long nanos) {
    long end = nowNanos + nanos;
    while (true) {
      var due =
          tasks.stream()
              .filter(task -> task.atNanos() <= end)
              .min(Comparator.comparingLong(Task::atNanos));
      if (due.isEmpty()) {
        nowNanos = end;
        return;
      }
      tasks.remove(due.get());
      nowNanos = due.get().atNanos();
      due.get().body().run();
    }
  }

  @Override
  public long nanoTime() {
    return nowNanos;
  }

  @Override
  public long wallTimeMillis() {
    return nowNanos / 1_000_000;
  }

  @Override
  public Timer after(long delayNanos, Runnable task) {
    Task made = new Task(nowNanos + delayNanos, task);
    tasks.add(made);
    return () -> tasks.remove(made);
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  @Override
  public Thread start(String name, Runnable body) {
    body.run();
    return Thread.currentThread();
  }

  @Override
  public Loop loop(String name) {
    throw new UnsupportedOperationException("a disk has no loops");
  }
}
