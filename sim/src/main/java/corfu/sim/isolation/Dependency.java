package corfu.sim.isolation;

/**
 * One point of a transaction is before one of another.
 *
 * @param from a node
 * @param to another one
 * @param why in words
 */
record Dependency(int from, int to, Kind kind, String why) {

  /** What it follows from. */
  enum Kind {
    /** The other one overwrote what this one had written. */
    WRITE_WRITE,
    /** The other one saw what this one had written. */
    WRITE_READ,
    /** The other one overwrote what this one had seen. */
    READ_WRITE,
    /** A transaction under snapshot isolation reads before it writes. */
    START,
    /** This one had ended before the other one began. */
    TIME
  }
}
