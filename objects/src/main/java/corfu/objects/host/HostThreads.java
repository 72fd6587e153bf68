package corfu.objects.host;

import corfu.world.World;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The threads of a host, and the objects that wait for one. As few of them are awake as get on with
 * what there is: to wake a thread costs more than most calls do, so one that is awake takes what
 * comes meanwhile. Another one is woken where that would be to wait: for one that waits itself, for
 * one that has not been heard of for long, or behind many.
 *
 * <p>All is guarded by the host's lock, which whoever calls holds, but for what the threads
 * themselves call: {@link #next} and {@link #waiting}.
 */
final class HostThreads {

  /** So many objects may wait for each thread that is awake. */
  private static final int MANY = 16;

  /** A thread that has taken nothing new for so long is at something that takes its time. */
  private static final long LONG_NANOS = 200_000;

  private final World world;
  private final ReentrantLock lock;
  private final Condition hasWork;
  private final int most;
  private final Runnable body;
  private final ArrayDeque<CallQueue> scheduled = new ArrayDeque<>();

  private int threads;
  private int idle;

  /** Those that are not idle, do not wait for others either, and may soon take something else. */
  private int awake;

  /** So many of the idle ones have been called, and do not know it yet; they count as awake. */
  private int called;

  /** When a thread took something up, or was called to. */
  private long lastTaken;

  private boolean isClosed;

  /**
   * @param lock the host's
   * @param most how many threads there may be
   * @param body what each of them does
   */
  HostThreads(World world, ReentrantLock lock, int most, Runnable body) {
    this.world = world;
    this.lock = lock;
    this.hasWork = lock.newCondition();
    this.most = most;
    this.body = body;
    this.lastTaken = world.nanoTime();
  }

  /** Has a thread see to the object. */
  void schedule(CallQueue queue) {
    if (!queue.isScheduled()) {
      queue.setScheduled(true);
      scheduled.add(queue);
      callIfNeeded();
    }
  }

  boolean isAnyScheduled() {
    return !scheduled.isEmpty();
  }

  /** The calling thread takes something up. */
  void takesUp(long now) {
    lastTaken = now;
  }

  /** Wakes another thread, where objects would wait for long otherwise. */
  void callIfNeeded() {
    if (scheduled.isEmpty() || isClosed || !isAnotherNeeded()) {
      return;
    }
    if (idle > 0) {
      idle--;
      called++;
      hasWork.signal();
    } else if (threads < most) {
      threads++;
      world.work("corfu-views-" + threads, body);
    } else {
      return;
    }
    awake++;
    lastTaken = world.nanoTime();
  }

  private boolean isAnotherNeeded() {
    return awake == 0
        || scheduled.size() > MANY * awake
        || world.nanoTime() - lastTaken > LONG_NANOS;
  }

  /**
   * Waits for the queue that the calling thread works on next. Returns that queue, or empty if the
   * thread must end.
   */
  Optional<CallQueue> next() {
    lock.lock();
    try {
      while (scheduled.isEmpty() && !isClosed) {
        rest();
      }
      if (isClosed) {
        threads--;
        return Optional.empty();
      }
      CallQueue queue = scheduled.removeFirst();
      queue.setScheduled(false);
      return Optional.of(queue);
    } finally {
      lock.unlock();
    }
  }

  /** Until it is called, for something that another one may have taken by then. */
  private void rest() {
    awake--;
    idle++;
    while (called == 0 && !isClosed) {
      hasWork.awaitUninterruptibly();
    }
    called = Math.max(0, called - 1);
  }

  /** Something that waits for others. */
  @FunctionalInterface
  interface Wait<T, E extends Exception> {
    T end() throws E;
  }

  /** Does it, while other threads take what comes. */
  <T, E extends Exception> T waiting(Wait<T, E> wait) throws E {
    lock.lock();
    try {
      awake--;
      callIfNeeded();
    } finally {
      lock.unlock();
    }
    try {
      return wait.end();
    } finally {
      lock.lock();
      try {
        awake++;
      } finally {
        lock.unlock();
      }
    }
  }

  /** One of the threads is at something that takes long: nobody counts on it. */
  void isLeftAlone() {
    awake--;
  }

  /** It has come to the end of that. */
  void isBack() {
    awake++;
  }

  /** How many there are. */
  int count() {
    return threads;
  }

  /** All of them end when they have done what they are at. */
  void close() {
    isClosed = true;
    hasWork.signalAll();
  }
}
