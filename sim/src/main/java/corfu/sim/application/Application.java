package corfu.sim.application;

/**
 * A program that clients of a simulation run instead of using log, streams and objects. It lets a
 * simulation run programs that this module does not know. An application is called for every run,
 * and has no state of its own.
 */
public interface Application {

  /** Begins a run, and returns the run's state. */
  ApplicationRun begin(ApplicationContext stage);

  /**
   * Returns whether a run has a second cluster, with its own clients and faults. The clients of the
   * second cluster are connected to both clusters.
   */
  default boolean hasSecondCluster() {
    return false;
  }
}
