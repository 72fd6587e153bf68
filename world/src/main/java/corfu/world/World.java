package corfu.world;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * A component's clock, timers, random numbers and threads.
 *
 * <p>Blocking code waits only for a {@link CompletableFuture} without a time limit ({@code join}),
 * or for a {@link java.util.concurrent.locks.ReentrantLock} or its conditions. A time limit is a
 * timer of this world that completes the future. Therefore a simulator can run the same code on one
 * thread. Thread-safe.
 */
public interface World {

  /** How often a waiting thread yields before it sleeps. */
  int GIVES_WAY = 10;

  /** Returns nanoseconds of a clock that never goes back. Only differences have a meaning. */
  long nanoTime();

  /**
   * Returns milliseconds since 1970 by this machine's clock; for people and names only, never for
   * safety.
   */
  long wallTimeMillis();

  /**
   * Runs {@code task} once, on a thread of the world's timers. The task must not block.
   *
   * @param delayNanos the delay from now in nanoseconds, at least 0
   */
  Timer after(long delayNanos, Runnable task);

  /** Returns a source of random numbers that any thread may use. */
  RandomGenerator random();

  /**
   * Returns a source of random numbers for secrets, which any thread may use. Nobody can tell them
   * from other numbers of the process. A simulated world has no secrets, and uses {@link #random}.
   */
  default RandomGenerator secrets() {
    return random();
  }

  /** Starts a thread that may block cheaply. It ends when {@code body} returns. */
  Thread start(String name, Runnable body);

  /**
   * Runs {@code body} concurrently with the caller. For fast work that repeatedly waits for short
   * events, with only a few such threads at a time. A world of real threads uses a platform thread,
   * because a virtual thread is handed over twice after each wait for a socket.
   */
  default void work(String name, Runnable body) {
    var unused = start(name, body);
  }

  /** Starts a thread for one owner's state, which runs tasks one after the other. */
  Loop loop(String name);

  /**
   * Waits, as {@code join} does, for a future that other threads will most likely complete in a
   * moment. Yields to them a few times before the thread sleeps, because waking a thread costs more
   * than such a wait.
   */
  default <T> T await(CompletableFuture<T> soon) {
    for (int i = 0; i < GIVES_WAY && !soon.isDone(); i++) {
      giveWay();
    }
    return soon.join();
  }

  /** Lets other threads run that wait for a processor. Does nothing in a world with one thread. */
  default void giveWay() {}

  /** Parks the calling thread for the duration. */
  default void pause(Duration duration) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    after(duration.toNanos(), () -> done.complete(null));
    done.join();
  }

  /** Returns the milliseconds passed since {@code startNanos}, a reading of {@link #nanoTime}. */
  default long millisSince(long startNanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanoTime() - startNanos);
  }

  /** A task that is scheduled for later. */
  @FunctionalInterface
  interface Timer {
    /** Cancels the task if it has not run yet. */
    void cancel();
  }
}
