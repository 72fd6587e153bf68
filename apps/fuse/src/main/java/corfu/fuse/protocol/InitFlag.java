package corfu.fuse.protocol;

import java.util.EnumSet;
import java.util.Set;

/** Features that the kernel offers in INIT, and that the reply accepts. */
public enum InitFlag {
  /** Several reads of one file may be in flight. */
  ASYNC_READ(0),
  /** The file system manages locks of byte ranges. */
  POSIX_LOCKS(1),
  /** OPEN carries the truncate flag. */
  ATOMIC_TRUNCATE(3),
  /** The file system looks up "." and "..". */
  EXPORT_SUPPORT(4),
  /** A write may have more than 4 KiB. */
  BIG_WRITES(5),
  /** The file system applies the umask itself. */
  DONT_MASK(6),
  /** The file system manages locks of whole files. */
  FLOCK_LOCKS(10),
  /** The kernel passes ioctls of directories on. */
  IOCTL_DIRECTORY(11),
  /** The kernel drops cached pages when the modification time changes. */
  AUTO_INVALIDATE_DATA(12),
  /** Directories are read with their attributes. */
  READDIRPLUS(13),
  /** The kernel chooses between READDIR and READDIRPLUS. */
  READDIRPLUS_AUTO(14),
  /** Direct reads and writes may be in flight at the same time. */
  ASYNC_DIRECT_IO(15),
  /** The kernel collects writes in its page cache. */
  WRITEBACK_CACHE(16),
  /** The kernel accepts ENOSYS for OPEN, and opens without asking from then on. */
  NO_OPEN(17),
  /** Lookups and reads of one directory may be in flight together. */
  PARALLEL_DIRECTORY_OPERATIONS(18),
  /** The file system clears set-user-id bits itself. */
  HANDLE_KILL_PRIVILEGES(19),
  /** The kernel checks POSIX ACLs, which it reads as extended attributes. */
  POSIX_ACL(20),
  /** Reads of an aborted connection fail with ECONNABORTED. */
  ABORT_ERROR(21),
  /** The INIT reply has a number of pages for each request. */
  MAX_PAGES(22),
  /** The kernel caches targets of symbolic links. */
  CACHE_SYMLINKS(23),
  /** The kernel accepts ENOSYS for OPENDIR, and opens without asking from then on. */
  NO_OPENDIR(24),
  /** The kernel drops cached pages only on a notification. */
  EXPLICIT_INVALIDATE_DATA(25),
  /** The file system clears set-user-id bits itself, as the kernel asks it to. */
  HANDLE_KILL_PRIVILEGES_2(28),
  /** SETXATTR has flags of its own. */
  SETXATTR_EXTENDED(29),
  /** INIT has 64 flags. */
  INIT_EXTENDED(30),
  /** Files with direct I/O can be mapped shared. */
  DIRECT_IO_ALLOW_MMAP(36),
  /** File handles of the mount do not outlive the node. */
  NO_EXPORT_SUPPORT(38),
  /** The kernel can send unanswered requests again. */
  RESEND(39),
  /** The kernel aborts the connection if a reply takes too long. */
  REQUEST_TIMEOUT(42);

  private final int bit;

  InitFlag(int bit) {
    this.bit = bit;
  }

  /** Returns the flags that are set in {@code bits}. Bits without a flag are left out. */
  public static Set<InitFlag> setOf(long bits) {
    Set<InitFlag> flags = EnumSet.noneOf(InitFlag.class);
    for (InitFlag flag : values()) {
      if ((bits >>> flag.bit & 1) != 0) {
        flags.add(flag);
      }
    }
    return flags;
  }

  /** Returns the bits of these flags. */
  public static long bitsOf(Set<InitFlag> flags) {
    long bits = 0;
    for (InitFlag flag : flags) {
      bits |= 1L << flag.bit;
    }
    return bits;
  }
}
