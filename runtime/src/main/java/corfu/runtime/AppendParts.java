package corfu.runtime;

/**
 * The parts of a client that a batch of appends uses.
 *
 * @param inFlight is told the addresses of appends to streams
 */
record AppendParts(
    ClientContext context,
    Tokens tokens,
    DeadRun deadRun,
    Completion completion,
    UnderWay inFlight) {}
