package corfu.fuse.mount;

import corfu.fuse.protocol.InitFlag;
import java.util.EnumSet;
import java.util.Set;

/**
 * How a file system is mounted. Immutable; {@code with} methods return changed copies.
 *
 * @param name the source that {@code /proc/mounts} shows; without commas and backslashes
 * @param subtype the type behind {@code fuse.}; without commas and backslashes
 * @param access permissions
 * @param transfer sizes
 * @param features the features that are used if the kernel has them
 * @param maxThreads the number of worker threads at most, 1 to 1,024; so many requests run at the
 *     same time
 */
public record MountOptions(
    String name,
    String subtype,
    Access access,
    Transfer transfer,
    Set<InitFlag> features,
    int maxThreads) {

  /** With this, a reader of large blocks keeps several requests in flight. */
  private static final int READ_AHEAD_BYTES = 4 << 20;

  private static final int MOST_THREADS = 1_024;

  public MountOptions {
    requirePlain(name);
    requirePlain(subtype);
    features = Set.copyOf(features);
    if (maxThreads < 1 || maxThreads > MOST_THREADS) {
      throw new IllegalArgumentException(maxThreads + " threads; a mount has 1 to " + MOST_THREADS);
    }
  }

  /**
   * The permissions of a mount.
   *
   * @param allowOther whether other users than the owner may use it
   * @param defaultPermissions whether the kernel checks permissions by mode, owner and group
   * @param readOnly whether nobody can change anything
   * @param allowNonEmpty whether the mount may hide files in the directory below
   */
  public record Access(
      boolean allowOther, boolean defaultPermissions, boolean readOnly, boolean allowNonEmpty) {}

  /**
   * The sizes of requests.
   *
   * @param maxWriteBytes the bytes of a write and of a reply at most, 4 KiB to 1 MiB, in whole
   *     pages
   * @param maxReadBytes the bytes of a read at most, or 0 for the kernel's own limit
   * @param maxReadAheadBytes the bytes that the kernel reads ahead at most; more than its own limit
   *     need root
   * @param maxBackground the requests that the kernel sends ahead at most, 1 to 65,535
   */
  public record Transfer(
      int maxWriteBytes, int maxReadBytes, int maxReadAheadBytes, int maxBackground) {

    /** The largest request of a kernel without a changed limit. */
    public static final int MOST_BYTES = 1 << 20;

    private static final int PAGE_BYTES = 4_096;

    public Transfer {
      if (maxWriteBytes < PAGE_BYTES
          || maxWriteBytes > MOST_BYTES
          || maxWriteBytes % PAGE_BYTES != 0) {
        throw new IllegalArgumentException(
            "writes of %d bytes; a write has whole pages, up to %d bytes"
                .formatted(maxWriteBytes, MOST_BYTES));
      }
      if (maxReadBytes < 0 || maxReadBytes > MOST_BYTES || maxReadAheadBytes < 0) {
        throw new IllegalArgumentException(
            "reads of %d bytes, %d ahead; a read has at most %d bytes"
                .formatted(maxReadBytes, maxReadAheadBytes, MOST_BYTES));
      }
      if (maxBackground < 1 || maxBackground > 0xFFFF) {
        throw new IllegalArgumentException(maxBackground + " requests; 1 to 65,535 are possible");
      }
    }
  }

  /**
   * Returns the usual options: the kernel checks permissions, all users have access, and requests
   * have up to 1 MiB.
   *
   * @param name the source that {@code /proc/mounts} shows
   */
  public static MountOptions of(String name) {
    return new MountOptions(
        name,
        "corfu",
        new Access(true, true, false, false),
        new Transfer(Transfer.MOST_BYTES, 0, READ_AHEAD_BYTES, 64),
        EnumSet.of(
            InitFlag.ASYNC_READ,
            InitFlag.POSIX_LOCKS,
            InitFlag.FLOCK_LOCKS,
            InitFlag.BIG_WRITES,
            InitFlag.AUTO_INVALIDATE_DATA,
            InitFlag.READDIRPLUS,
            InitFlag.READDIRPLUS_AUTO,
            InitFlag.ASYNC_DIRECT_IO,
            InitFlag.PARALLEL_DIRECTORY_OPERATIONS,
            InitFlag.HANDLE_KILL_PRIVILEGES_2,
            InitFlag.ABORT_ERROR,
            InitFlag.MAX_PAGES,
            InitFlag.SETXATTR_EXTENDED,
            InitFlag.INIT_EXTENDED),
        16);
  }

  /** Returns options with other permissions. */
  public MountOptions with(Access other) {
    return new MountOptions(name, subtype, other, transfer, features, maxThreads);
  }

  /** Returns options with other sizes. */
  public MountOptions with(Transfer other) {
    return new MountOptions(name, subtype, access, other, features, maxThreads);
  }

  /** Returns options with one more feature. */
  public MountOptions with(InitFlag feature) {
    Set<InitFlag> more = EnumSet.copyOf(features);
    more.add(feature);
    return new MountOptions(name, subtype, access, transfer, more, maxThreads);
  }

  /** Returns options without a feature. */
  public MountOptions without(InitFlag feature) {
    Set<InitFlag> fewer = EnumSet.copyOf(features);
    fewer.remove(feature);
    return new MountOptions(name, subtype, access, transfer, fewer, maxThreads);
  }

  /** Returns options with another type behind {@code fuse.}. */
  public MountOptions withSubtype(String other) {
    return new MountOptions(name, other, access, transfer, features, maxThreads);
  }

  /** Returns options with another number of worker threads. */
  public MountOptions withMaxThreads(int threads) {
    return new MountOptions(name, subtype, access, transfer, features, threads);
  }

  private static void requirePlain(String text) {
    if (text.isEmpty() || text.indexOf(',') >= 0 || text.indexOf('\\') >= 0) {
      throw new IllegalArgumentException(
          "the name or subtype '%s' of a mount is empty or has a comma or backslash"
              .formatted(text));
    }
  }
}
