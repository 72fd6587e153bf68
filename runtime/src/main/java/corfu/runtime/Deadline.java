package corfu.runtime;

import corfu.world.World;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * The moment by which a call must have ended. Every retry and every wait within the call takes it
 * from here. Thread-safe.
 *
 * <p>A call that moves much data {@linkplain #renew renews} it each time it has moved {@link
 * #ENTRIES} more log entries, or one more part of a checkpoint. All other calls never do.
 */
public final class Deadline {

  /** A call gets the operation timeout again for each so many entries that it has moved. */
  public static final int ENTRIES = 4096;

  private final World world;
  private final long timeoutNanos;
  private volatile long atNanos;

  private Deadline(World world, long timeoutNanos) {
    this.world = world;
    this.timeoutNanos = timeoutNanos;
    this.atNanos = world.nanoTime() + timeoutNanos;
  }

  /** Returns the deadline of a call that begins now and may take so long. */
  public static Deadline in(World world, Duration duration) {
    return new Deadline(world, duration.toNanos());
  }

  /** Returns the one of these that comes first; they are of one world. */
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
   * Whether so little time is left that nothing new is worth beginning: an eighth of what there was
   * in the beginning, or none.
   */
  public boolean isNear() {
    return atNanos - world.nanoTime() <= timeoutNanos / 8;
  }

  /** Returns what is left, at least one nanosecond, and no more than {@code cap}. */
  public long remainingNanos(Duration cap) {
    return Math.max(1, Math.min(cap.toNanos(), atNanos - world.nanoTime()));
  }

  private long remainingNanos() {
    return Math.max(1, atNanos - world.nanoTime());
  }

  /** Returns how long the call may take, for messages. */
  public Duration timeout() {
    return Duration.ofNanos(timeoutNanos);
  }

  /** The call has moved much data and goes on: it gets the whole time again, from now on. */
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
    while (!future.isDone() && !hasPassed()) { // somebody may have renewed it
      CompletableFuture<Void> over = new CompletableFuture<>();
      World.Timer timer = world.after(remainingNanos(), () -> over.complete(null));
      var unused = future.whenComplete((value, failure) -> over.complete(null));
      over.join();
      timer.cancel();
    }
    return future.isDone();
  }

  /**
   * The same for what another thread does for this call and others: as long as that moves {@link
   * #ENTRIES} more, the call gets the whole time again.
   *
   * @param moved how many entries the other thread has moved so far
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
   * Waits for a signal, no longer than until the deadline. The caller holds the lock, and looks
   * afterwards at what it waits for.
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
