package corfu.silver;

/**
 * How far the work of {@link Silver#checkpoint} has come.
 *
 * @param phase the present part of the work
 * @param done the number of nodes that this part has visited
 * @param all the number of nodes that it will visit, or 0 if that is unknown
 */
public record CheckpointProgress(Phase phase, long done, long all) {

  /** The parts of the work, in their order. */
  public enum Phase {
    /** Finds the nodes that remaining versions reach. */
    TRACE,
    /** Writes the states of the oldest version. */
    KEEP,
    /** Trims the entries that nothing needs. */
    FREE
  }
}
