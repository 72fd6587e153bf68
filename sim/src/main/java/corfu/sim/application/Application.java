package corfu.sim.application;

/**
 * What clients of a simulation use instead of log, streams and objects: how programs are simulated
 * that stand above what this module knows. It is told of every run, and keeps nothing of its own.
 */
public interface Application {

  /** A run begins: what is kept of it. */
  Play begin(Stage stage);

  /**
   * Whether a run has a second cluster, with clients and faults of its own. Its clients are
   * connected to both.
   */
  default boolean hasSecondCluster() {
    return false;
  }
}
