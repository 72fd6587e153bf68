package corfu.runtime.rebuild;

/**
 * How much copying may take of the servers.
 *
 * @param bytesPerSecond entries' bytes, at the most; {@link Long#MAX_VALUE} for as fast as can be
 * @param workers how many pieces are under way at the same time, 1 or more
 */
public record RebuildOptions(long bytesPerSecond, int workers) {

  /** Leaves most of a disk to those who append. */
  public static final RebuildOptions DEFAULT = new RebuildOptions(32L << 20, 2);

  /** Nothing is held back. */
  public static final RebuildOptions UNTHROTTLED = new RebuildOptions(Long.MAX_VALUE, 4);

  public RebuildOptions {
    if (bytesPerSecond < 1 || workers < 1) {
      throw new IllegalArgumentException(
          "copying takes 1 byte a second and 1 worker or more, not "
              + bytesPerSecond
              + " and "
              + workers);
    }
  }
}
