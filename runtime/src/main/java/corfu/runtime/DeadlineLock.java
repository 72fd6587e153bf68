package corfu.runtime;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * A reentrant lock whose holder may wait for the cluster. Each waiting caller gives up at its own
 * deadline, whatever the holder's deadline is. Thread-safe.
 */
public final class DeadlineLock {

  /** For holders whose progress is not counted. */
  private static final LongSupplier NO_PROGRESS = () -> 0;

  private final String busy;
  private final LongSupplier progress;
  private final ReentrantLock held = new ReentrantLock();
  private final ReentrantLock guard = new ReentrantLock(); // never held during a wait for `held`
  private final Condition freed = guard.newCondition();
  private final AtomicInteger waiting = new AtomicInteger();

  /**
   * @param busy the holder's work, for the message: "object x is being played"
   */
  public DeadlineLock(String busy) {
    this(busy, NO_PROGRESS);
  }

  /**
   * @param progress the number of entries that holders have moved so far. For each {@link
   *     Deadline#ENTRIES} of them, a waiting caller gets the operation timeout again.
   */
  public DeadlineLock(String busy, LongSupplier progress) {
    this.busy = busy;
    this.progress = progress;
  }

  /**
   * Acquires the lock.
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

  /** Acquires the lock, unless another thread still holds it at the deadline. */
  public boolean tryLock(Deadline deadline) {
    return held.tryLock() || tryLockSlowly(deadline);
  }

  private boolean tryLockSlowly(Deadline deadline) {
    long seen = progress.getAsLong();
    guard.lock();
    try {
      waiting.incrementAndGet(); // before the attempt, so that the holder sees it when it unlocks
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

  /** Acquires the lock if no other thread holds it. */
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
