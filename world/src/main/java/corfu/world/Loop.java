package corfu.world;

import java.util.concurrent.Executor;

/**
 * One thread that runs tasks in the order in which they were handed over. Whatever is touched by
 * its tasks only needs no lock. Handing over never blocks and may be done from any thread; a task
 * handed to a closed loop is dropped.
 */
public interface Loop extends Executor, AutoCloseable {

  /** Whether the caller is a task of this loop. */
  boolean isInside();

  /**
   * Lets the tasks already handed over finish, then ends the thread, and waits for that unless
   * called from inside.
   */
  @Override
  void close();
}
