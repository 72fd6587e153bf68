package corfu.silver.writeback;

import corfu.bytes.BytesOptions;
import java.time.Duration;

/**
 * The bounds of a buffer. Immutable.
 *
 * @param maxBytes the bytes that wait at most, 1 or more; a writer then waits for room
 * @param maxAge the longest time that data waits before its way to the log begins
 * @param maxEntryBytes the most bytes of one entry, 4 KiB or more, and at most those of {@link
 *     BytesOptions#maxEntryBytes}
 * @param maxInFlight the most entries that are on their way to the log, 1 or more
 */
public record WriteBackOptions(long maxBytes, Duration maxAge, int maxEntryBytes, int maxInFlight) {

  /** The options for most uses. */
  public static final WriteBackOptions DEFAULT =
      new WriteBackOptions(
          64L << 20, Duration.ofSeconds(1), BytesOptions.DEFAULT.maxEntryBytes(), 8);

  public WriteBackOptions {
    if (maxBytes < 1 || maxEntryBytes < 4 << 10 || maxInFlight < 1 || !maxAge.isPositive()) {
      throw new IllegalArgumentException(
          "a buffer has 1 byte or more, entries of 4096 bytes or more, an age, and 1 entry or more"
              + " in flight, not %d bytes, %d, %s, %d"
                  .formatted(maxBytes, maxEntryBytes, maxAge, maxInFlight));
    }
  }
}
