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
 * System calls for devices, memory and mounts. Each returns a negated error number on failure.
 * Thread-safe.
 */
public final class SystemCalls {

  private static final MethodHandle OPEN =
      variadic("open", 2, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
  private static final MethodHandle CLOSE = function("close", JAVA_INT, JAVA_INT);
  private static final MethodHandle READ =
      function("read", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
  private static final MethodHandle WRITE =
      function("write", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
  private static final MethodHandle IOCTL =
      variadic("ioctl", 2, JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS);
  private static final MethodHandle MOUNT =
      function("mount", JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS);
  private static final MethodHandle UMOUNT2 = function("umount2", JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle SOCKETPAIR =
      function("socketpair", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS);
  private static final MethodHandle RECVMSG =
      function("recvmsg", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle WAITPID =
      function("waitpid", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle POSIX_SPAWN =
      function("posix_spawnp", JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
  private static final MethodHandle GETEUID = function("geteuid", JAVA_INT);
  private static final MethodHandle GETEGID = function("getegid", JAVA_INT);
  private static final MethodHandle MMAP =
      function("mmap", ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
  private static final MethodHandle MUNMAP = function("munmap", JAVA_INT, ADDRESS, JAVA_LONG);

  /** Detaches a mount at once; it ends when nobody uses it any more. */
  public static final int UNMOUNT_DETACH = 2;

  /** Aborts a FUSE connection, even if the mount is in use. */
  public static final int UNMOUNT_FORCE = 1;

  private SystemCalls() {}

  /** Opens a path. Returns a file descriptor. */
  public static int open(byte[] path, int flags, int mode) {
    Native memory = Native.ofThread();
    try {
      return memory.checked((int) OPEN.invokeExact(memory.state, memory.path(path), flags, mode));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Closes a file descriptor. */
  public static int close(int fd) {
    Native memory = Native.ofThread();
    try {
      return memory.checked((int) CLOSE.invokeExact(memory.state, fd));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Reads at most so many bytes. Returns their number. */
  public static long read(int fd, MemorySegment buffer, long bytes) {
    Native memory = Native.ofThread();
    try {
      return memory.checked((long) READ.invokeExact(memory.state, fd, buffer, bytes));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Writes at most so many bytes. Returns their number. */
  public static long write(int fd, MemorySegment buffer, long bytes) {
    Native memory = Native.ofThread();
    try {
      return memory.checked((long) WRITE.invokeExact(memory.state, fd, buffer, bytes));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Controls a device. */
  public static int ioctl(int fd, long request, MemorySegment argument) {
    Native memory = Native.ofThread();
    try {
      return memory.checked((int) IOCTL.invokeExact(memory.state, fd, request, argument));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Mounts a file system. The strings end with a zero byte. */
  public static int mount(
      MemorySegment source,
      MemorySegment target,
      MemorySegment type,
      long flags,
      MemorySegment data) {
    Native memory = Native.ofThread();
    try {
      return memory.checked(
          (int) MOUNT.invokeExact(memory.state, source, target, type, flags, data));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Unmounts a file system. */
  public static int unmount(byte[] target, int flags) {
    Native memory = Native.ofThread();
    try {
      return memory.checked((int) UMOUNT2.invokeExact(memory.state, memory.path(target), flags));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Creates two connected sockets, whose descriptors become two ints at {@code fds}. */
  public static int socketPair(int domain, int type, int protocol, MemorySegment fds) {
    Native memory = Native.ofThread();
    try {
      return memory.checked(
          (int) SOCKETPAIR.invokeExact(memory.state, domain, type, protocol, fds));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Receives bytes and control data, such as file descriptors. */
  public static long receiveMessage(int fd, MemorySegment message, int flags) {
    Native memory = Native.ofThread();
    try {
      return memory.checked((long) RECVMSG.invokeExact(memory.state, fd, message, flags));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Waits for a child process. Its status becomes an int at {@code status}. */
  public static int waitFor(int pid, MemorySegment status, int options) {
    Native memory = Native.ofThread();
    try {
      return memory.checked((int) WAITPID.invokeExact(memory.state, pid, status, options));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /**
   * Starts a program, which it finds on the path of programs. Unlike other calls of this class it
   * returns a positive error number, or 0. The child inherits all descriptors that are not closed
   * on exec.
   */
  public static int spawn(
      MemorySegment pid,
      MemorySegment path,
      MemorySegment actions,
      MemorySegment attributes,
      MemorySegment arguments,
      MemorySegment environment) {
    Native memory = Native.ofThread();
    try {
      return (int)
          POSIX_SPAWN.invokeExact(
              memory.state, pid, path, actions, attributes, arguments, environment);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Returns the effective user id of this process. */
  public static int effectiveUserId() {
    try {
      return (int) GETEUID.invokeExact(Native.ofThread().state);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Returns the effective group id of this process. */
  public static int effectiveGroupId() {
    try {
      return (int) GETEGID.invokeExact(Native.ofThread().state);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /**
   * Maps fresh memory that the kernel fills with zeros when it is first touched. So a large buffer
   * costs only the pages that its user needs. The memory stays until {@link #unmap}.
   *
   * @param bytes the size, a multiple of the page size
   * @throws OutOfMemoryError if the kernel has no memory
   */
  @SuppressWarnings("restricted") // the mapping has this size
  public static MemorySegment map(long bytes) {
    Native memory = Native.ofThread();
    MemorySegment address;
    try {
      address =
          (MemorySegment)
              MMAP.invokeExact(memory.state, MemorySegment.NULL, bytes, 3, 0x22, -1, 0L);
    } catch (Throwable e) {
      throw broken(e);
    }
    if (address.address() == -1) {
      throw new OutOfMemoryError("no memory to map " + bytes + " bytes");
    }
    return address.reinterpret(bytes);
  }

  /** Returns memory that {@link #map} has mapped. Nobody may use it afterwards. */
  public static int unmap(MemorySegment mapped) {
    Native memory = Native.ofThread();
    try {
      return memory.checked((int) MUNMAP.invokeExact(memory.state, mapped, mapped.byteSize()));
    } catch (Throwable e) {
      throw broken(e);
    }
  }
}
