package corfu.fuse.mount;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.fuse.linux.Errno;
import corfu.fuse.linux.FileCalls;
import corfu.fuse.linux.FileMode;
import corfu.fuse.linux.FileStatus;
import corfu.fuse.linux.OpenFlags;
import corfu.fuse.linux.SystemCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** A directory that a file system is mounted on. Thread-safe. */
final class MountPoint {

  private static final long NO_SET_USER_ID = 2;
  private static final long NO_DEVICES = 4;
  private static final long READ_ONLY = 1;

  private final Path path;
  private final byte[] bytes;

  MountPoint(Path path) {
    this.path = path.toAbsolutePath().normalize();
    this.bytes = this.path.toString().getBytes(UTF_8);
  }

  /**
   * Checks that a file system can be mounted here.
   *
   * @throws MountException if the path is no empty directory, or a mount already
   */
  void check(boolean allowNonEmpty) throws MountException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment statx = arena.allocate(FileStatus.BYTES, 8);
      int found = FileCalls.stat(FileCalls.CURRENT_DIRECTORY, bytes, 0, FileStatus.ALL, statx);
      if (found < 0) {
        throw inaccessible(Errno.of(found));
      }
      FileStatus status = new FileStatus(statx);
      if (!FileMode.isDirectory(status.mode())) {
        throw new MountException(
            Errno.ENOTDIR, "The mount point %s is not a directory; name one".formatted(path));
      }
      if (status.isMountRoot()) {
        throw new MountException(
            Errno.EBUSY,
            "Something is mounted on %s already; unmount it, or name another directory"
                .formatted(path));
      }
      if (!allowNonEmpty && hasEntries(arena)) {
        throw new MountException(
            Errno.ENOTEMPTY,
            "The mount point %s is not empty; a mount would hide its files. Name another directory"
                .formatted(path));
      }
    }
  }

  private MountException inaccessible(Errno errno) {
    return new MountException(
        errno,
        switch (errno) {
          case ENOENT -> "The mount point %s does not exist; create the directory".formatted(path);
          case ENOTCONN ->
              "The process that served the mount on %s has ended; unmount it first".formatted(path);
          case ENOTDIR -> "The mount point %s is below a file that is no directory".formatted(path);
          default -> "The mount point %s is not accessible".formatted(path);
        });
  }

  private boolean hasEntries(Arena arena) throws MountException {
    int fd =
        SystemCalls.open(
            bytes, OpenFlags.READ_ONLY | OpenFlags.DIRECTORY | OpenFlags.CLOSE_ON_EXEC, 0);
    if (fd < 0) {
      throw inaccessible(Errno.of(fd));
    }
    // "." and ".." need 24 bytes each, and every other entry needs room, too.
    long read = FileCalls.readDirectory(fd, arena.allocate(1024, 8), 1024);
    int unused = SystemCalls.close(fd);
    return read > 48;
  }

  /**
   * Mounts by the system call, which only root may use.
   *
   * @param fd a descriptor of the device without a mount
   */
  void mount(int fd, MountOptions options) throws MountException {
    String data = data(fd, options);
    long flags = NO_SET_USER_ID | NO_DEVICES | (options.access().readOnly() ? READ_ONLY : 0);
    try (Arena arena = Arena.ofConfined()) {
      int mounted =
          SystemCalls.mount(
              arena.allocateFrom(options.name()),
              arena.allocateFrom(path.toString()),
              arena.allocateFrom("fuse." + options.subtype()),
              flags,
              arena.allocateFrom(data));
      if (mounted < 0) {
        Errno errno = Errno.of(mounted);
        throw new MountException(
            errno,
            switch (errno) {
              case EPERM -> "This process may not mount on %s; run it as root".formatted(path);
              case ENODEV -> "The kernel has no FUSE; load its module 'fuse'";
              default -> "Mounting on %s with '%s' failed".formatted(path, data);
            });
      }
    }
  }

  private static String data(int fd, MountOptions options) {
    StringBuilder data =
        new StringBuilder("fd=%d,rootmode=%o".formatted(fd, FileMode.DIRECTORY))
            .append(",user_id=")
            .append(SystemCalls.effectiveUserId())
            .append(",group_id=")
            .append(SystemCalls.effectiveGroupId());
    if (options.access().defaultPermissions()) {
      data.append(",default_permissions");
    }
    if (options.access().allowOther()) {
      data.append(",allow_other");
    }
    if (options.transfer().maxReadBytes() > 0) {
      data.append(",max_read=").append(options.transfer().maxReadBytes());
    }
    return data.toString();
  }

  /**
   * Unmounts.
   *
   * @param flags flags of {@code umount2}
   * @throws MountException if the mount is in use, or there is none
   */
  void unmount(int flags) throws MountException {
    int unmounted = SystemCalls.unmount(bytes, flags);
    if (unmounted < 0) {
      Errno errno = Errno.of(unmounted);
      throw new MountException(
          errno,
          switch (errno) {
            case EBUSY ->
                "Processes use files or directories of the mount on %s; end them, or detach it"
                    .formatted(path);
            case EINVAL, ENOENT -> "Nothing is mounted on %s".formatted(path);
            case EPERM -> "This process may not unmount %s; run it as root".formatted(path);
            default -> "Unmounting %s failed".formatted(path);
          });
    }
  }

  Path path() {
    return path;
  }
}
