package corfu.protocol.message;

import corfu.protocol.Epoch;

/**
 * A log unit's progress on its disk, in one life of the disk: what was durable at the time of the
 * report. It never goes back, unless the disk was set back to an older image of itself or has lost
 * acknowledged data.
 *
 * @param logFile the number of the newest log file; 0 if there is none
 * @param offset the durable length of that log file in bytes
 * @param sealed the highest epoch that the unit has sealed
 * @param installed the epoch of the newest layout that it stores
 */
public record Progress(long logFile, long offset, Epoch sealed, Epoch installed) {

  /** The progress of an empty disk. */
  public static final Progress NONE = new Progress(0, 0, Epoch.NONE, Epoch.NONE);

  /** Returns whether {@code other} has something that is missing here. */
  public boolean isBehind(Progress other) {
    return isShorterThan(other)
        || sealed.isBefore(other.sealed)
        || installed.isBefore(other.installed);
  }

  private boolean isShorterThan(Progress other) {
    return logFile < other.logFile || (logFile == other.logFile && offset < other.offset);
  }

  /** Returns the maximum of both. */
  public Progress and(Progress other) {
    Progress longer = isShorterThan(other) ? other : this;
    return new Progress(
        longer.logFile,
        longer.offset,
        sealed.isBefore(other.sealed) ? other.sealed : sealed,
        installed.isBefore(other.installed) ? other.installed : installed);
  }
}
