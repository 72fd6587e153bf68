package corfu.fuse.passthrough;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.linux.FileCalls;
import corfu.fuse.linux.FileMode;
import corfu.fuse.linux.FileStatus;
import corfu.fuse.linux.OpenFlags;
import corfu.fuse.linux.SystemCalls;
import corfu.fuse.protocol.OpenFile;
import corfu.fuse.protocol.Request;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Requests on open files, whose handles are descriptors of the local files. Thread-safe. */
final class FileOperations {

  private static final byte[] EMPTY = {};

  private final boolean writeBack;

  /**
   * Returns the operations.
   *
   * @param writeBack whether the kernel's cache writes back, which needs to read files that are
   *     open only for writing, and appends by itself
   */
  FileOperations(boolean writeBack) {
    this.writeBack = writeBack;
  }

  /** Returns the flags for the local file of a file that is opened with {@code flags}. */
  int localFlags(int flags) {
    int local = (flags & ~OpenFlags.NO_FOLLOW) | OpenFlags.CLOSE_ON_EXEC;
    if (writeBack) {
      if ((local & OpenFlags.ACCESS_MODE) == OpenFlags.WRITE_ONLY) {
        local = (local & ~OpenFlags.ACCESS_MODE) | OpenFlags.READ_WRITE;
      }
      local &= ~OpenFlags.APPEND;
    }
    return local & ~OpenFlags.DIRECT; // the buffers of requests are not aligned for it
  }

  Result<OpenFile> open(Node node, Request.Open request) {
    int flags = localFlags(request.flags()) & ~OpenFlags.CREATE & ~OpenFlags.EXCLUSIVE;
    int fd = SystemCalls.open(node.path(), flags, 0);
    return fd < 0 ? Result.failed(Errno.of(fd)) : Result.of(opened(fd, request.flags()));
  }

  /** Returns the reply for a local file that is open now. */
  OpenFile opened(int fd, int flags) {
    int direct =
        (flags & OpenFlags.DIRECT) == 0 ? 0 : OpenFile.DIRECT_IO | OpenFile.PARALLEL_DIRECT_WRITES;
    return new OpenFile(fd, direct);
  }

  Result<Integer> read(Request.Read request, MemorySegment target) {
    long read =
        FileCalls.readAt((int) request.handle(), target, target.byteSize(), request.offset());
    return read < 0 ? Result.failed(Errno.of(read)) : Result.of((int) read);
  }

  Result<Integer> write(Node node, Request.Write request) {
    if ((request.writeFlags() & Request.Write.KILL_PRIVILEGES) != 0) {
      killPrivileges(node);
    }
    MemorySegment data = request.data();
    long written =
        FileCalls.writeAt((int) request.handle(), data, data.byteSize(), request.offset());
    return written < 0 ? Result.failed(Errno.of(written)) : Result.of((int) written);
  }

  /** Clears the set-user-id bit, and set-group-id if the group may execute. */
  static void killPrivileges(Node node) {
    FileStatus status = StatusReader.ofThread();
    int found =
        FileCalls.stat(node.fd(), EMPTY, FileCalls.EMPTY_PATH, FileStatus.ALL, status.statx());
    if (found < 0 || !FileMode.isRegular(status.mode())) {
      return;
    }
    int mode = status.mode() & FileMode.PERMISSIONS;
    int kept = mode & ~FileMode.SET_USER_ID;
    if ((mode & 0x8) != 0) {
      kept &= ~FileMode.SET_GROUP_ID;
    }
    if (kept != mode) {
      int unused = FileCalls.changeMode(FileCalls.CURRENT_DIRECTORY, node.path(), kept, 0);
    }
  }

  Result<Done> sync(long handle, boolean dataOnly) {
    int fd = (int) handle;
    return Result.done(dataOnly ? FileCalls.syncData(fd) : FileCalls.sync(fd));
  }

  Result<Done> allocate(Request.Allocate request) {
    return Result.done(
        FileCalls.allocate(
            (int) request.handle(), request.mode(), request.offset(), request.length()));
  }

  Result<Long> seek(Request.Seek request) {
    long found = FileCalls.seek((int) request.handle(), request.offset(), request.whence());
    return found < 0 ? Result.failed(Errno.of(found)) : Result.of(found);
  }

  Result<Long> copyRange(Request.CopyRange request) {
    try (Arena arena = Arena.ofConfined()) {
      long copied =
          FileCalls.copyRange(
              (int) request.handle(),
              arena.allocateFrom(JAVA_LONG, request.offset()),
              (int) request.targetHandle(),
              arena.allocateFrom(JAVA_LONG, request.targetOffset()),
              request.length(),
              0);
      return copied < 0 ? Result.failed(Errno.of(copied)) : Result.of(copied);
    }
  }
}
