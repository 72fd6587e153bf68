package corfu.bytes;

import java.time.Duration;

/**
 * The options of a {@link SpaceReclaimer}. Immutable; {@link #DEFAULT} fits most, and each {@code
 * with} method returns a copy with one change.
 *
 * @param slackBytes the bytes that the entries may take beyond the bounds, 1 or more: less is not
 *     worth a checkpoint
 * @param moveBytes the most bytes of an entry into which live rests are moved, 4 KiB or more; at
 *     most {@link BytesOptions#maxEntryBytes} are used
 * @param interval the time between two steps in the background, above 0, while there is little to
 *     do
 */
public record ReclaimOptions(long slackBytes, int moveBytes, Duration interval) {

  /** The options for most uses. */
  public static final ReclaimOptions DEFAULT =
      new ReclaimOptions(16L << 20, 1 << 20, Duration.ofMillis(50));

  public ReclaimOptions {
    if (slackBytes < 1 || moveBytes < 4 << 10 || !interval.isPositive()) {
      throw new IllegalArgumentException(
          "the slack has 1 byte or more, a move 4096, and the interval is positive; not %d, %d, %s"
              .formatted(slackBytes, moveBytes, interval));
    }
  }

  public ReclaimOptions withSlackBytes(long bytes) {
    return new ReclaimOptions(bytes, moveBytes, interval);
  }

  public ReclaimOptions withMoveBytes(int bytes) {
    return new ReclaimOptions(slackBytes, bytes, interval);
  }

  public ReclaimOptions withInterval(Duration between) {
    return new ReclaimOptions(slackBytes, moveBytes, between);
  }
}
