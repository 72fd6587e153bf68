package corfu.fuse.linux;

import static corfu.fuse.linux.Native.broken;
import static corfu.fuse.linux.Native.function;
import static corfu.fuse.linux.Native.variadic;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * System calls for files. A path is relative to the directory that its descriptor names. Each call
 * returns a negated error number on failure. Thread-safe.
 */
public final class FileCalls {

  private static final MethodHandle OPENAT =
      variadic("openat", 3, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
  private static final MethodHandle PREAD =
      function("pread", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle PWRITE =
      function("pwrite", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle STATX =
      function("statx", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS);
  private static final MethodHandle MKDIRAT =
      function("mkdirat", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle MKNODAT =
      function("mknodat", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG);
  private static final MethodHandle SYMLINKAT =
      function("symlinkat", JAVA_INT, ADDRESS, JAVA_INT, ADDRESS);
  private static final MethodHandle LINKAT =
      function("linkat", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle UNLINKAT =
      function("unlinkat", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle RENAMEAT2 =
      function("renameat2", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle READLINKAT =
      function("readlinkat", JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG);
  private static final MethodHandle FCHMODAT =
      function("fchmodat", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
  private static final MethodHandle FCHOWNAT =
      function("fchownat", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle UTIMENSAT =
      function("utimensat", JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);
  private static final MethodHandle TRUNCATE = function("truncate", JAVA_INT, ADDRESS, JAVA_LONG);
  private static final MethodHandle FTRUNCATE =
      function("ftruncate", JAVA_INT, JAVA_INT, JAVA_LONG);
  private static final MethodHandle FALLOCATE =
      function("fallocate", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle LSEEK =
      function("lseek", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
  private static final MethodHandle COPY_FILE_RANGE =
      function(
          "copy_file_range", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
  private static final MethodHandle FSYNC = function("fsync", JAVA_INT, JAVA_INT);
  private static final MethodHandle FDATASYNC = function("fdatasync", JAVA_INT, JAVA_INT);
  private static final MethodHandle SYNCFS = function("syncfs", JAVA_INT, JAVA_INT);
  private static final MethodHandle GETDENTS64 =
      function("getdents64", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
  private static final MethodHandle FSTATFS = function("fstatfs", JAVA_INT, JAVA_INT, ADDRESS);
  private static final MethodHandle SETXATTR =
      function("setxattr", JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT);
  private static final MethodHandle GETXATTR =
      function("getxattr", JAVA_LONG, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG);
  private static final MethodHandle LISTXATTR =
      function("listxattr", JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG);
  private static final MethodHandle REMOVEXATTR =
      function("removexattr", JAVA_INT, ADDRESS, ADDRESS);
  private static final MethodHandle FACCESSAT =
      function("faccessat", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
  private static final MethodHandle FLOCK = function("flock", JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle FCNTL =
      variadic("fcntl", 2, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS);
  private static final MethodHandle POLL = function("poll", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);

  /** The directory that relative paths start at, if a path names no descriptor's directory. */
  public static final int CURRENT_DIRECTORY = -100;

  /** Acts on a symbolic link itself. */
  public static final int NO_FOLLOW = 0x100;

  /** {@link #unlink} removes a directory. */
  public static final int REMOVE_DIRECTORY = 0x200;

  /** {@link #makeLink} follows a symbolic link. */
  public static final int FOLLOW = 0x400;

  /** An empty path means the descriptor's file. */
  public static final int EMPTY_PATH = 0x1000;

  /** The kernel tells what it knows already. */
  public static final int DO_NOT_SYNC = 0x4000;

  private FileCalls() {}

  /** Opens a path. Returns a file descriptor. */
  public static int openAt(int directory, byte[] path, int flags, int mode) {
    Native memory = Native.ofThread();
    try {
      return memory.checked(
          (int) OPENAT.invokeExact(memory.state, directory, memory.path(path), flags, mode));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Reads at an offset. Returns the number of bytes, or 0 at the end. */
  public static long readAt(int fd, MemorySegment buffer, long bytes, long offset) {
    Native memory = Native.ofThread();
    try {
      return memory.checked((long) PREAD.invokeExact(memory.state, fd, buffer, bytes, offset));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Writes at an offset. Returns the number of bytes. */
  public static long writeAt(int fd, MemorySegment buffer, long bytes, long offset) {
    Native memory = Native.ofThread();
    try {
      return memory.checked((long) PWRITE.invokeExact(memory.state, fd, buffer, bytes, offset));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Fills {@code result}, 256 bytes, with the attributes of a path. */
  public static int stat(int directory, byte[] path, int flags, int mask, MemorySegment result) {
    Native memory = Native.ofThread();
    try {
      return memory.checked(
          (int) STATX.invokeExact(memory.state, directory, memory.path(path), flags, mask, result));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Creates a directory. */
  public static int makeDirectory(int directory, byte[] path, int mode) {
    Native memory = Native.ofThread();
    try {
      return memory.checked(
          (int) MKDIRAT.invokeExact(memory.state, directory, memory.path(path), mode));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Creates a device node, a FIFO, a socket or a regular file. */
  public static int makeNode(int directory, byte[] path, int mode, long device) {
    Native memory = Native.ofThread();
    try {
      return memory.checked(
          (int) MKNODAT.invokeExact(memory.state, directory, memory.path(path), mode, device));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Creates a symbolic link. */
  public static int makeSymbolicLink(byte[] target, int directory, byte[] path) {
    Native memory = Native.ofThread();
    try {
      return memory.checked(
          (int)
              SYMLINKAT.invokeExact(
                  memory.state, memory.path(target), directory, memory.secondPath(path)));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Creates a hard link. */
  public static int makeLink(
      int oldDirectory, byte[] oldPath, int newDirectory, byte[] newPath, int flags) {
    Native memory = Native.ofThread();
    try {
      return memory.checked(
          (int)
              LINKAT.invokeExact(
                  memory.state,
                  oldDirectory,
                  memory.path(oldPath),
                  newDirectory,
                  memory.secondPath(newPath),
                  flags));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Removes a name. */
  public static int unlink(int directory, byte[] path, int flags) {
    Native memory = Native.ofThread();
    try {
      return memory.checked(
          (int) UNLINKAT.invokeExact(memory.state, directory, memory.path(path), flags));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Renames a file, or exchanges two. */
  public static int rename(
      int oldDirectory, byte[] oldPath, int newDirectory, byte[] newPath, int flags) {
    Native memory = Native.ofThread();
    try {
      return memory.checked(
          (int)
              RENAMEAT2.invokeExact(
                  memory.state,
                  oldDirectory,
                  memory.path(oldPath),
                  newDirectory,
                  memory.secondPath(newPath),
                  flags));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Reads the target of a symbolic link. Returns its length. */
  public static long readLink(int directory, byte[] path, MemorySegment buffer, long bytes) {
    Native memory = Native.ofThread();
    try {
      return memory.checked(
          (long) READLINKAT.invokeExact(memory.state, directory, memory.path(path), buffer, bytes));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Changes the permissions of a path. */
  public static int changeMode(int directory, byte[] path, int mode, int flags) {
    Native memory = Native.ofThread();
    try {
      return memory.checked(
          (int) FCHMODAT.invokeExact(memory.state, directory, memory.path(path), mode, flags));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Changes the owner of a path; -1 leaves an id. */
  public static int changeOwner(int directory, byte[] path, int uid, int gid, int flags) {
    Native memory = Native.ofThread();
    try {
      return memory.checked(
          (int) FCHOWNAT.invokeExact(memory.state, directory, memory.path(path), uid, gid, flags));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Changes the times of a path: two pairs of seconds and nanoseconds. */
  public static int changeTimes(int directory, byte[] path, MemorySegment times, int flags) {
    Native memory = Native.ofThread();
    try {
      return memory.checked(
          (int) UTIMENSAT.invokeExact(memory.state, directory, memory.path(path), times, flags));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Changes the size of the file at a path. */
  public static int truncate(byte[] path, long size) {
    Native memory = Native.ofThread();
    try {
      return memory.checked((int) TRUNCATE.invokeExact(memory.state, memory.path(path), size));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Changes the size of an open file. */
  public static int truncateOpen(int fd, long size) {
    Native memory = Native.ofThread();
    try {
      return memory.checked((int) FTRUNCATE.invokeExact(memory.state, fd, size));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Allocates, punches or zeroes a range. */
  public static int allocate(int fd, int mode, long offset, long length) {
    Native memory = Native.ofThread();
    try {
      return memory.checked((int) FALLOCATE.invokeExact(memory.state, fd, mode, offset, length));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Moves the position, or finds data or a hole. Returns the offset. */
  public static long seek(int fd, long offset, int whence) {
    Native memory = Native.ofThread();
    try {
      return memory.checked((long) LSEEK.invokeExact(memory.state, fd, offset, whence));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Copies between files. The offsets are longs in memory. */
  public static long copyRange(
      int from, MemorySegment fromOffset, int to, MemorySegment toOffset, long bytes, int flags) {
    Native memory = Native.ofThread();
    try {
      return memory.checked(
          (long)
              COPY_FILE_RANGE.invokeExact(
                  memory.state, from, fromOffset, to, toOffset, bytes, flags));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Makes data and attributes durable. */
  public static int sync(int fd) {
    Native memory = Native.ofThread();
    try {
      return memory.checked((int) FSYNC.invokeExact(memory.state, fd));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Makes data durable. */
  public static int syncData(int fd) {
    Native memory = Native.ofThread();
    try {
      return memory.checked((int) FDATASYNC.invokeExact(memory.state, fd));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Makes the whole file system durable. */
  public static int syncFileSystem(int fd) {
    Native memory = Native.ofThread();
    try {
      return memory.checked((int) SYNCFS.invokeExact(memory.state, fd));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Reads entries of a directory. Returns their bytes, or 0 at the end. */
  public static long readDirectory(int fd, MemorySegment buffer, long bytes) {
    Native memory = Native.ofThread();
    try {
      return memory.checked((long) GETDENTS64.invokeExact(memory.state, fd, buffer, bytes));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Fills {@code result}, 120 bytes, with the statistics of a file system. */
  public static int statFileSystem(int fd, MemorySegment result) {
    Native memory = Native.ofThread();
    try {
      return memory.checked((int) FSTATFS.invokeExact(memory.state, fd, result));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Sets an extended attribute. */
  public static int setExtendedAttribute(
      byte[] path, byte[] name, MemorySegment value, long bytes, int flags) {
    Native memory = Native.ofThread();
    try {
      return memory.checked(
          (int)
              SETXATTR.invokeExact(
                  memory.state, memory.path(path), memory.secondPath(name), value, bytes, flags));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Reads an extended attribute. Returns its size. */
  public static long getExtendedAttribute(
      byte[] path, byte[] name, MemorySegment value, long bytes) {
    Native memory = Native.ofThread();
    try {
      return memory.checked(
          (long)
              GETXATTR.invokeExact(
                  memory.state, memory.path(path), memory.secondPath(name), value, bytes));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Lists the names of extended attributes. Returns their bytes. */
  public static long listExtendedAttributes(byte[] path, MemorySegment list, long bytes) {
    Native memory = Native.ofThread();
    try {
      return memory.checked(
          (long) LISTXATTR.invokeExact(memory.state, memory.path(path), list, bytes));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Removes an extended attribute. */
  public static int removeExtendedAttribute(byte[] path, byte[] name) {
    Native memory = Native.ofThread();
    try {
      return memory.checked(
          (int) REMOVEXATTR.invokeExact(memory.state, memory.path(path), memory.secondPath(name)));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Checks the access of this process. */
  public static int checkAccess(int directory, byte[] path, int mask, int flags) {
    Native memory = Native.ofThread();
    try {
      return memory.checked(
          (int) FACCESSAT.invokeExact(memory.state, directory, memory.path(path), mask, flags));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Locks an open file as a whole. */
  public static int lockFile(int fd, int operation) {
    Native memory = Native.ofThread();
    try {
      return memory.checked((int) FLOCK.invokeExact(memory.state, fd, operation));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Locks ranges of an open file, or asks for locks. */
  public static int control(int fd, int command, MemorySegment argument) {
    Native memory = Native.ofThread();
    try {
      return memory.checked((int) FCNTL.invokeExact(memory.state, fd, command, argument));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Waits until files are ready. Returns their number. */
  public static int poll(MemorySegment fds, long count, int timeoutMillis) {
    Native memory = Native.ofThread();
    try {
      return memory.checked((int) POLL.invokeExact(memory.state, fds, count, timeoutMillis));
    } catch (Throwable e) {
      throw broken(e);
    }
  }
}
