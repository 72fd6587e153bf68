package corfu.runtime;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A bound on the number of tasks that run at the same time. Other tasks wait until their deadlines.
 * Thread-safe.
 */
public final class Places {

  private final String what;
  private final int most;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private int taken;
  private boolean isClosed;

  /**
   * @param what the tasks' plural, for the message: "slow reads"
   * @param most the number of places
   */
  public Places(String what, int most) {
    this.what = what;
    this.most = most;
  }

  /**
   * Waits for a free place, and occupies it.
   *
   * @throws UnavailableException if no place is free by the deadline
   */
  public void enter(Deadline deadline) {
    lock.lock();
    try {
      while (taken >= most && !isClosed) {
        if (deadline.hasPassed()) {
          throw new UnavailableException(
              "%d %s are in flight already, and none ended within %d ms; nothing was done"
                  .formatted(taken, what, deadline.timeout().toMillis()));
        }
        deadline.await(lock, changed);
      }
      taken++;
    } finally {
      lock.unlock();
    }
  }

  public void leave() {
    lock.lock();
    try {
      taken--;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Ends all waits. From now on there is a place for every task. */
  public void close() {
    lock.lock();
    try {
      isClosed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
