package corfu.sim.isolation;

/**
 * One point of a transaction is before one point of another.
 *
 * @param from the node that is before
 * @param to the node that is after
 * @param why the reason in words
 */
record Dependency(int from, int to, Kind kind, String why) {

  /** The kind of reason. */
  enum Kind {
    /** The later transaction overwrote a value that the earlier one had written. */
    WRITE_WRITE,
    /** The later transaction read a value that the earlier one had written. */
    WRITE_READ,
    /** The later transaction overwrote a value that the earlier one had read. */
    READ_WRITE,
    /** A transaction under snapshot isolation reads before it writes. */
    START,
    /** The earlier transaction had ended before the later one began. */
    TIME
  }
}
