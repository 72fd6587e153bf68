package corfu.fuse.mount;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.fuse.linux.FileCalls;
import corfu.fuse.linux.FileStatus;
import corfu.fuse.linux.OpenFlags;
import corfu.fuse.linux.SystemCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * How far the kernel reads ahead in a mount. It begins with 128 KiB, and a reply to INIT can only
 * lower that. So root sets it through sysfs.
 */
final class ReadAhead {

  private static final int KIBIBYTE = 1_024;

  private ReadAhead() {}

  /**
   * Sets how far the kernel reads ahead. Where sysfs cannot be written, the kernel's choice stays.
   *
   * @param directory the mount point; the mount serves already
   * @return whether the kernel has taken the value
   */
  static boolean set(Path directory, int bytes) {
    byte[] path = directory.toString().getBytes(UTF_8);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment statx = arena.allocate(FileStatus.BYTES, Long.BYTES);
      // With an empty mask, the kernel does not ask the file system.
      int found =
          FileCalls.stat(FileCalls.CURRENT_DIRECTORY, path, FileCalls.DO_NOT_SYNC, 0, statx);
      if (found < 0) {
        return false;
      }
      String file =
          "/sys/class/bdi/%s/read_ahead_kb".formatted(new FileStatus(statx).containingDeviceName());
      int fd =
          SystemCalls.open(
              file.getBytes(US_ASCII), OpenFlags.WRITE_ONLY | OpenFlags.CLOSE_ON_EXEC, 0);
      if (fd < 0) {
        return false;
      }
      byte[] value = Integer.toString(bytes / KIBIBYTE).getBytes(US_ASCII);
      MemorySegment buffer = arena.allocate(value.length);
      MemorySegment.copy(MemorySegment.ofArray(value), 0, buffer, 0, value.length);
      long written = SystemCalls.write(fd, buffer, value.length);
      int unused = SystemCalls.close(fd);
      return written == value.length;
    }
  }
}
