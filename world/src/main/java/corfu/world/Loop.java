package corfu.world;

import java.util.concurrent.Executor;

/**
 * One thread that runs tasks in the order of their submission. State that only its tasks touch
 * needs no lock. Any thread may submit a task; that never blocks. A closed loop drops the tasks
 * that it receives.
 */
public interface Loop extends Executor, AutoCloseable {

  /** Returns whether the caller runs as a task of this loop. */
  boolean isInside();

  /**
   * Runs the tasks submitted before, then ends the thread. Waits for its end unless called from a
   * task of the loop.
   */
  @Override
  void close();
}
