package corfu.runtime;

import corfu.protocol.Epoch;

/**
 * The time at which a condition's snapshot was taken. An epoch may issue addresses again that an
 * older epoch issued in vain. So the log's tail, as a client was told it, may lie behind entries
 * that have yet to be appended. In another epoch than its snapshot's, a condition therefore begins
 * below the addresses that had been decided.
 *
 * @param epoch the epoch in which the snapshot's address was told as the log's tail
 * @param decidedBelow the address below which no later epoch issues an address: the address before
 *     it has been read, or the epoch began there
 */
public record AsOf(Epoch epoch, long decidedBelow) {

  /** A snapshot below which every address was decided when it was taken. */
  public static final AsOf DECIDED = new AsOf(Epoch.NONE, Long.MAX_VALUE);

  /**
   * Returns the log address from which on nothing must have changed, if the sequencer of epoch
   * {@code asked} checks the condition.
   */
  public long snapshotIn(Epoch asked, long snapshot) {
    return asked.equals(epoch) ? snapshot : Math.min(snapshot, decidedBelow);
  }
}
