package corfu.runtime.rebuild;

/**
 * The resources that a rebuild may use.
 *
 * @param bytesPerSecond the most bytes of entries per second; {@link Long#MAX_VALUE} for no limit
 * @param workers the number of pieces that are copied at the same time, 1 or more
 */
public record RebuildOptions(long bytesPerSecond, int workers) {

  /** Leaves most of a disk to appends. */
  public static final RebuildOptions DEFAULT = new RebuildOptions(32L << 20, 2);

  /** Has no limit on bytes per second. */
  public static final RebuildOptions UNTHROTTLED = new RebuildOptions(Long.MAX_VALUE, 4);

  public RebuildOptions {
    if (bytesPerSecond < 1 || workers < 1) {
      throw new IllegalArgumentException(
          "a rebuild needs at least 1 byte per second and 1 worker, not "
              + bytesPerSecond
              + " and "
              + workers);
    }
  }
}
