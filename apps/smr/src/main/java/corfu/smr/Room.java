package corfu.smr;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Lets so many in at the same time; others wait. Thread-safe. */
final class Room {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final int places;
  private int taken;
  private boolean isClosed;

  Room(int places) {
    this.places = places;
  }

  void enter() {
    lock.lock();
    try {
      while (taken >= places && !isClosed) {
        changed.awaitUninterruptibly();
      }
      taken++;
    } finally {
      lock.unlock();
    }
  }

  void leave() {
    lock.lock();
    try {
      taken--;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Nobody waits any more: who enters will be told that all is over. */
  void close() {
    lock.lock();
    try {
      isClosed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
