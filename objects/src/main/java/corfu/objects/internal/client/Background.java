package corfu.objects.internal.client;

import corfu.world.World;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the tasks that a client does for its objects but for no caller. The tasks run one at a time,
 * on a thread that exists only while there are tasks. Ends when the client is closed. Thread-safe.
 */
public final class Background {

  private static final Logger LOG = LoggerFactory.getLogger(Background.class);

  /**
   * The most tasks that wait. A view has at most one or two, and a caller that finds no room tries
   * again.
   */
  private static final int MOST_WAITING = 1 << 12;

  private final World world;
  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private boolean isRunning;
  private CompletableFuture<Void> pause = CompletableFuture.completedFuture(null);
  private volatile boolean isStopped;

  /** The client is closed: whoever meets this has nothing left to do. */
  static final class StoppedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StoppedException() {
      super("the client is closed", null, false, false);
    }
  }

  Background(World world) {
    this.world = world;
  }

  /** Has a task done when those before it are; false if there is no room, or all is over. */
  public boolean offer(Runnable task) {
    boolean begins;
    lock.lock();
    try {
      if (isStopped || tasks.size() == MOST_WAITING) {
        return false;
      }
      tasks.add(task);
      begins = !isRunning;
      isRunning = true;
    } finally {
      lock.unlock();
    }
    if (begins) {
      var unused = world.start("corfu-objects-background", this::work);
    }
    return true;
  }

  private void work() {
    while (true) {
      Runnable task;
      lock.lock();
      try {
        if (tasks.isEmpty() || isStopped) {
          tasks.clear();
          isRunning = false;
          return;
        }
        task = tasks.remove();
      } finally {
        lock.unlock();
      }
      try {
        task.run();
      } catch (StoppedException over) {
        LOG.debug("stopped");
      } catch (RuntimeException failure) {
        if (isStopped) {
          LOG.debug("the client was closed in the middle", failure);
          continue;
        }
        LOG.warn("work in the background failed", failure);
      }
    }
  }

  boolean isStopped() {
    return isStopped;
  }

  /** For tasks: the client has not been closed. */
  public void check() {
    if (isStopped) {
      throw new StoppedException();
    }
  }

  /** For the task that runs: does nothing for a while, or until the client is closed. */
  public void pause(long nanos) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    lock.lock();
    try {
      check();
      pause = done;
    } finally {
      lock.unlock();
    }
    World.Timer timer = world.after(nanos, () -> done.complete(null));
    done.join();
    timer.cancel();
    check();
  }

  /** Starts nothing more, and ends what pauses. */
  void stop() {
    CompletableFuture<Void> pausing;
    lock.lock();
    try {
      isStopped = true;
      tasks.clear();
      pausing = pause;
    } finally {
      lock.unlock();
    }
    pausing.complete(null);
  }
}
