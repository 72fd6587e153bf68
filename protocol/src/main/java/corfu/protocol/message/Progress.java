package corfu.protocol.message;

import corfu.protocol.Epoch;

/**
 * How far a log unit's disk has come, in one life of it: what was durable when it said so. It never
 * goes back, unless the disk was set back to an older image of itself, or has lost what it had
 * acknowledged.
 *
 * @param segment the number of its newest segment file; 0 if there is none
 * @param offset up to where that was durable, in bytes
 * @param sealed the highest epoch that it has sealed
 * @param installed the epoch of the newest layout that it keeps
 */
public record Progress(long segment, long offset, Epoch sealed, Epoch installed) {

  /** Of a disk on which nothing is. */
  public static final Progress NONE = new Progress(0, 0, Epoch.NONE, Epoch.NONE);

  /** Whether anything that {@code other} has is missing here. */
  public boolean isBehind(Progress other) {
    return isShorterThan(other)
        || sealed.isBefore(other.sealed)
        || installed.isBefore(other.installed);
  }

  private boolean isShorterThan(Progress other) {
    return segment < other.segment || (segment == other.segment && offset < other.offset);
  }

  /** All that either has. */
  public Progress and(Progress other) {
    Progress longer = isShorterThan(other) ? other : this;
    return new Progress(
        longer.segment,
        longer.offset,
        sealed.isBefore(other.sealed) ? other.sealed : sealed,
        installed.isBefore(other.installed) ? other.installed : installed);
  }
}
