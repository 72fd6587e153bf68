package corfu.runtime;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * A reentrant lock whose holder may wait for the cluster. Callers that wait for it give up at their
 * own deadlines, whatever the holder's deadline is. Thread-safe.
 */
public final class DeadlineLock {

  /** For holders of whom nobody can tell how far they have come. */
  private static final LongSupplier NO_PROGRESS = () -> 0;

  private final String busy;
  private final LongSupplier progress;
  private final ReentrantLock held = new ReentrantLock();
  private final ReentrantLock guard = new ReentrantLock(); // never held while waiting for the other
  private final Condition freed = guard.newCondition();
  private final AtomicInteger waiting = new AtomicInteger();

  /**
   * @param busy what the holder does, for the message: "object x is being played"
   */
  public DeadlineLock(String busy) {
    this(busy, NO_PROGRESS);
  }

  /**
   * @param progress how many entries holders have moved so far: whoever waits while they move
   *     {@link Deadline#ENTRIES} gets the operation timeout again
   */
  public DeadlineLock(String busy, LongSupplier progress) {
    this.busy = busy;
    this.progress = progress;
  }

  /**
   * Takes the lock.
   *
   * @throws UnavailableException if another thread still holds it at the deadline
   */
  public void lock(Deadline deadline) {
    if (!tryLock(deadline)) {
      throw new UnavailableException(
          "%s by another thread, which took longer than %d ms; nothing was done"
              .formatted(busy, deadline.timeout().toMillis()));
    }
  }

  /** Takes the lock unless another thread still holds it at the deadline. */
  public boolean tryLock(Deadline deadline) {
    return held.tryLock() || tryLockSlowly(deadline);
  }

  private boolean tryLockSlowly(Deadline deadline) {
    long seen = progress.getAsLong();
    guard.lock();
    try {
      waiting.incrementAndGet(); // before the try: so the holder sees it when it unlocks
      while (!held.tryLock()) {
        long now = progress.getAsLong();
        if (now - seen >= Deadline.ENTRIES) {
          seen = now;
          deadline.renew();
        }
        if (deadline.hasPassed()) {
          return false;
        }
        deadline.await(guard, freed);
      }
      return true;
    } finally {
      waiting.decrementAndGet();
      guard.unlock();
    }
  }

  /** Takes the lock if no other thread holds it. */
  public boolean tryLock() {
    return held.tryLock();
  }

  public boolean isHeldByCurrentThread() {
    return held.isHeldByCurrentThread();
  }

  public void unlock() {
    held.unlock();
    if (waiting.get() > 0) {
      guard.lock();
      try {
        freed.signal();
      } finally {
        guard.unlock();
      }
    }
  }
}
