package corfu.world;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * A component's clock, timers, random numbers and threads.
 *
 * <p>Blocking code waits for nothing but a {@link CompletableFuture} without a time limit ({@code
 * join}), a {@link java.util.concurrent.locks.ReentrantLock} or its conditions: a time limit is a
 * timer of this world that completes the future. So a simulator can run the same code on one
 * thread. Thread-safe.
 */
public interface World {

  /** How often who waits gives way before it goes to sleep. */
  int GIVES_WAY = 10;

  /** Nanoseconds of a clock that never goes back; only differences mean anything. */
  long nanoTime();

  /**
   * Milliseconds since 1970 as this machine believes them to be; for people and names only, never
   * for safety.
   */
  long wallTimeMillis();

  /**
   * Runs {@code task} once, {@code delayNanos} from now, on a thread of the world's timers: the
   * task must not block.
   *
   * @param delayNanos at least 0
   */
  Timer after(long delayNanos, Runnable task);

  /** A source of random numbers that any thread may use. */
  RandomGenerator random();

  /** Starts a thread that may block cheaply; it ends when {@code body} returns. */
  Thread start(String name, Runnable body);

  /**
   * Runs {@code body} beside the caller, who does not wait: for work whose speed matters, that
   * waits for one short thing after the other, and of which there are only a few at a time. A world
   * of real threads gives it one of the operating system's, for a virtual one is handed over twice
   * whenever it has waited for a socket.
   */
  default void work(String name, Runnable body) {
    var unused = start(name, body);
  }

  /** A thread of its own for one owner's state, which runs tasks one after the other. */
  Loop loop(String name);

  /**
   * Waits, as {@code join} does, for what other threads will most likely have done in a moment:
   * gives way to them a few times before the thread goes to sleep, for to wake a thread costs more
   * than such a wait.
   */
  default <T> T await(CompletableFuture<T> soon) {
    for (int i = 0; i < GIVES_WAY && !soon.isDone(); i++) {
      giveWay();
    }
    return soon.join();
  }

  /** Lets other threads run that wait for a processor; nothing where there is only one thread. */
  default void giveWay() {}

  /** Parks the calling thread for the duration. */
  default void pause(Duration duration) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    after(duration.toNanos(), () -> done.complete(null));
    done.join();
  }

  /** Milliseconds passed since {@code startNanos}, a reading of {@link #nanoTime}. */
  default long millisSince(long startNanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanoTime() - startNanos);
  }

  /** Something that has been asked to happen later. */
  @FunctionalInterface
  interface Timer {
    /** Keeps it from happening, if it has not happened yet. */
    void cancel();
  }
}
