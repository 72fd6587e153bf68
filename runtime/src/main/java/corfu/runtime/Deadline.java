package corfu.runtime;

import corfu.world.World;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * The time by which a call must end. Every retry and every wait within the call uses it.
 * Thread-safe.
 *
 * <p>A call that moves much data {@linkplain #renew renews} it each time the call has moved {@link
 * #ENTRIES} more log entries, or one more part of a checkpoint. All other calls never renew it.
 */
public final class Deadline {

  /** The number of entries for which a call gets the operation timeout again. */
  public static final int ENTRIES = 4096;

  private final World world;
  private final long timeoutNanos;
  private volatile long atNanos;

  private Deadline(World world, long timeoutNanos) {
    this.world = world;
    this.timeoutNanos = timeoutNanos;
    this.atNanos = world.nanoTime() + timeoutNanos;
  }

  /** Returns the deadline of a call that begins now and may last for {@code duration}. */
  public static Deadline in(World world, Duration duration) {
    return new Deadline(world, duration.toNanos());
  }

  /** Returns the earliest of these deadlines. All of them belong to one world. */
  public static Deadline earliest(Stream<Deadline> deadlines) {
    return deadlines.reduce((a, b) -> a.atNanos - b.atNanos <= 0 ? a : b).orElseThrow();
  }

  public World world() {
    return world;
  }

  public boolean hasPassed() {
    return atNanos - world.nanoTime() <= 0;
  }

  /**
   * Returns whether too little time is left to begin something new: an eighth of the timeout, or
   * none.
   */
  public boolean isNear() {
    return atNanos - world.nanoTime() <= timeoutNanos / 8;
  }

  /** Returns the remaining time in nanoseconds: at least 1, and at most {@code cap}. */
  public long remainingNanos(Duration cap) {
    return Math.max(1, Math.min(cap.toNanos(), atNanos - world.nanoTime()));
  }

  private long remainingNanos() {
    return Math.max(1, atNanos - world.nanoTime());
  }

  /** Returns the timeout of the call, for messages. */
  public Duration timeout() {
    return Duration.ofNanos(timeoutNanos);
  }

  /** Gives the call its whole timeout again, from now on, because it has moved much data. */
  public void renew() {
    long again = world.nanoTime() + timeoutNanos;
    if (again - atNanos > 0) {
      atNanos = again;
    }
  }

  /**
   * Waits until the future is done, or the deadline has passed.
   *
   * @return whether the future is done
   */
  public boolean await(CompletableFuture<?> future) {
    for (int i = 0; i < World.GIVES_WAY && !future.isDone(); i++) {
      world.giveWay();
    }
    while (!future.isDone() && !hasPassed()) { // another thread may have renewed it
      CompletableFuture<Void> over = new CompletableFuture<>();
      World.Timer timer = world.after(remainingNanos(), () -> over.complete(null));
      var unused = future.whenComplete((value, failure) -> over.complete(null));
      over.join();
      timer.cancel();
    }
    return future.isDone();
  }

  /**
   * Waits for another thread that works for this call and others. Each time that thread has moved
   * {@link #ENTRIES} more entries, this call gets its whole timeout again.
   *
   * @param moved the number of entries that the other thread has moved so far
   * @return whether the future is done
   */
  public boolean await(CompletableFuture<?> future, LongSupplier moved) {
    long seen = moved.getAsLong();
    while (!await(future)) {
      long now = moved.getAsLong();
      if (now - seen < ENTRIES) {
        return false;
      }
      seen = now;
      renew();
    }
    return true;
  }

  /**
   * Waits for a signal until the deadline at most. The caller holds the lock, and afterwards checks
   * the state that it waits for.
   */
  @SuppressWarnings("WaitNotInLoop") // callers loop
  public void await(ReentrantLock lock, Condition signalled) {
    World.Timer timer =
        world.after(
            remainingNanos(),
            () -> {
              lock.lock();
              try {
                signalled.signalAll();
              } finally {
                lock.unlock();
              }
            });
    signalled.awaitUninterruptibly();
    timer.cancel();
  }
}
