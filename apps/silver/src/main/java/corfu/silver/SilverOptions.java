package corfu.silver;

import corfu.bytes.BytesOptions;

/**
 * The options of a client of Silver. Immutable.
 *
 * @param maxNodes the number of files and directories whose newest states are kept in memory, 1 or
 *     more
 * @param maxPastNodes the number of states of older versions that are kept in memory, 1 or more
 * @param bytes the options of the data of large files; checkpoints of files and directories follow
 *     them, too
 */
public record SilverOptions(int maxNodes, int maxPastNodes, BytesOptions bytes) {

  /** The options for most uses. */
  public static final SilverOptions DEFAULT =
      new SilverOptions(100_000, 10_000, BytesOptions.DEFAULT);

  public SilverOptions {
    if (maxNodes < 1 || maxPastNodes < 1) {
      throw new IllegalArgumentException(
          "memory has room for 1 or more nodes, not %d and %d".formatted(maxNodes, maxPastNodes));
    }
  }
}
