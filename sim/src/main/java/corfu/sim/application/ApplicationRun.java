package corfu.sim.application;

import java.util.function.Consumer;

/** One run of an {@link Application}. All of it happens on the simulation's single thread. */
public interface ApplicationRun {

  /**
   * Starts a client process. If this throws {@link corfu.runtime.CorfuException}, it is called
   * again.
   *
   * @return the work of each of its threads, which ends when the thread's seat is over
   */
  Consumer<ApplicationClient> enter(ApplicationClient process);

  /** Checks the final state, after all clients have ended and all faults are repaired. */
  void audit(ApplicationClient auditor);

  /** Reports all violations after the end of the run. */
  void check();
}
