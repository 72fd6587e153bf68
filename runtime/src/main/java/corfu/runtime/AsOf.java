package corfu.runtime;

import corfu.protocol.Epoch;

/**
 * When the snapshot of a condition was taken. What an epoch had issued in vain the next one may
 * issue again: the log's tail, as somebody was told it, may lie behind entries that are yet to
 * come. So in another epoch than that of its snapshot a condition begins where all was decided
 * already.
 *
 * @param epoch in which its address was told as the log's tail
 * @param decidedBelow no epoch after that one issues an address below this: the address before it
 *     has been read, or the epoch began there
 */
public record AsOf(Epoch epoch, long decidedBelow) {

  /** All below the snapshot was decided when it was taken. */
  public static final AsOf DECIDED = new AsOf(Epoch.NONE, Long.MAX_VALUE);

  /** From where on nothing must have changed, if an epoch's sequencer is asked. */
  public long snapshotIn(Epoch asked, long snapshot) {
    return asked.equals(epoch) ? snapshot : Math.min(snapshot, decidedBelow);
  }
}
