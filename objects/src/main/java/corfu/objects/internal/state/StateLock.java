package corfu.objects.internal.state;

import corfu.runtime.Deadline;
import corfu.runtime.UnavailableException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/**
 * Lets many threads read a state, or one change it. Either may fetch values from the log meanwhile,
 * so callers that wait give up at their own deadlines. A thread that waits to change the state goes
 * before new readers. Thread-safe.
 */
final class StateLock {

  private final Supplier<Deadline> deadlines;
  private final ReentrantReadWriteLock held = new ReentrantReadWriteLock();
  private final ReentrantLock guard = new ReentrantLock(); // never held while waiting for the other
  private final Condition freed = guard.newCondition();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger writersWaiting = new AtomicInteger();

  /**
   * @param deadlines that of the call which the thread is in
   */
  StateLock(Supplier<Deadline> deadlines) {
    this.deadlines = deadlines;
  }

  /**
   * Begins reading.
   *
   * @throws UnavailableException if somebody still changes the state at the deadline
   */
  void lockToRead() {
    if (!tryLockToRead()) {
      await(this::tryLockToRead);
    }
  }

  private boolean tryLockToRead() {
    boolean mayPass = writersWaiting.get() == 0 || held.getReadHoldCount() > 0;
    return (mayPass || held.isWriteLockedByCurrentThread()) && held.readLock().tryLock();
  }

  /**
   * Begins changing.
   *
   * @throws UnavailableException if others still read or change the state at the deadline
   */
  void lockToChange() {
    if (held.writeLock().tryLock()) {
      return;
    }
    writersWaiting.incrementAndGet();
    try {
      await(held.writeLock()::tryLock);
    } finally {
      writersWaiting.decrementAndGet();
      wake(); // readers that let it pass
    }
  }

  private interface Try {
    boolean succeeds();
  }

  private void await(Try lock) {
    Deadline deadline = deadlines.get();
    guard.lock();
    try {
      waiting.incrementAndGet(); // before the try: so the holder sees it when it unlocks
      while (!lock.succeeds()) {
        if (deadline.hasPassed()) {
          throw new UnavailableException(
              "the state of an object was used by another thread for longer than %d ms"
                  .formatted(deadline.timeout().toMillis()));
        }
        deadline.await(guard, freed);
      }
    } finally {
      waiting.decrementAndGet();
      guard.unlock();
    }
  }

  void endReading() {
    end(held.readLock());
  }

  void endChanging() {
    end(held.writeLock());
  }

  private void end(Lock lock) {
    lock.unlock();
    wake();
  }

  private void wake() {
    if (waiting.get() > 0) {
      guard.lock();
      try {
        freed.signalAll();
      } finally {
        guard.unlock();
      }
    }
  }
}
