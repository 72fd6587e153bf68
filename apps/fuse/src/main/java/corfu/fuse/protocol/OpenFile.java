package corfu.fuse.protocol;

/**
 * The reply to OPEN, OPENDIR and CREATE.
 *
 * @param handle the file handle, which later requests carry
 * @param flags the union of flags of this class
 */
public record OpenFile(long handle, int flags) {

  /** Reads and writes bypass the kernel's page cache. */
  public static final int DIRECT_IO = 1;

  /** The kernel keeps the pages that it cached before. */
  public static final int KEEP_CACHE = 2;

  /** The file has no position that could be changed. */
  public static final int NOT_SEEKABLE = 4;

  /** The kernel may cache the entries of this directory. */
  public static final int CACHE_DIRECTORY = 8;

  /** The file has no position at all. */
  public static final int STREAM = 16;

  /** The kernel sends no FLUSH when a descriptor is closed. */
  public static final int NO_FLUSH = 32;

  /** Direct writes to the file may run at the same time. */
  public static final int PARALLEL_DIRECT_WRITES = 64;
}
