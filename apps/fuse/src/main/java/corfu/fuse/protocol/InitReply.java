package corfu.fuse.protocol;

import java.util.Set;

/**
 * The reply to INIT.
 *
 * @param minor the minor version that both sides speak
 * @param maxReadAhead the bytes that the kernel reads ahead at most
 * @param flags the features that are used from now on
 * @param maxBackground the requests that the kernel keeps in flight in the background, at most
 *     65,535
 * @param congestionThreshold the background requests above which the kernel slows down, at most
 *     65,535
 * @param maxWrite the bytes of a write at most
 * @param timeGranularityNanos the steps of the file system's times in nanoseconds
 * @param maxPages the pages of a request at most, at most 65,535
 */
public record InitReply(
    int minor,
    int maxReadAhead,
    Set<InitFlag> flags,
    int maxBackground,
    int congestionThreshold,
    int maxWrite,
    int timeGranularityNanos,
    int maxPages) {

  /** The only major version. */
  public static final int MAJOR = 7;

  /** The oldest minor version that Corfu speaks. */
  public static final int OLDEST_MINOR = 31;

  /** The newest minor version that Corfu speaks. */
  public static final int NEWEST_MINOR = 45;
}
