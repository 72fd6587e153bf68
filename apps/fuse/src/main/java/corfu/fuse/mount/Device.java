package corfu.fuse.mount;

import static java.nio.charset.StandardCharsets.US_ASCII;

import corfu.fuse.linux.Errno;
import corfu.fuse.linux.OpenFlags;
import corfu.fuse.linux.SystemCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A descriptor of {@code /dev/fuse}. The reply to a request goes to the descriptor that the request
 * came from. Thread-safe.
 */
final class Device {

  private static final String PATH = "/dev/fuse";
  private static final long CLONE = 0x8004E500L;

  private final int fd;
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private boolean closed;

  Device(int fd) {
    this.fd = fd;
  }

  /** Opens the device for a new mount. */
  static Device open() throws MountException {
    return open(PATH);
  }

  static Device open(String path) throws MountException {
    int fd =
        SystemCalls.open(
            path.getBytes(US_ASCII), OpenFlags.READ_WRITE | OpenFlags.CLOSE_ON_EXEC, 0);
    if (fd < 0) {
      Errno errno = Errno.of(fd);
      throw new MountException(
          errno,
          switch (errno) {
            case ENOENT, ENODEV, ENXIO ->
                "There is no %s; load the kernel's module 'fuse', or give the container this device"
                    .formatted(path);
            case EACCES, EPERM -> "This process may not open %s; run it as root".formatted(path);
            default -> "Opening %s failed".formatted(path);
          });
    }
    return new Device(fd);
  }

  /** Returns another descriptor of the same connection. */
  Device another() throws MountException {
    Device other = open();
    try (Arena arena = Arena.ofConfined()) {
      int cloned = SystemCalls.ioctl(other.fd, CLONE, arena.allocateFrom(ValueLayout.JAVA_INT, fd));
      if (cloned < 0) {
        other.close();
        throw new MountException(Errno.of(cloned), "Cloning a descriptor of /dev/fuse failed");
      }
    }
    return other;
  }

  int fd() {
    return fd;
  }

  /** Reads the next request. Returns its bytes or a negative error number. */
  long read(MemorySegment buffer) {
    return SystemCalls.read(fd, buffer, buffer.byteSize());
  }

  /** Writes a reply or a notification. Returns 0 or a negative error number. */
  long write(MemorySegment buffer, long bytes) {
    long written = SystemCalls.write(fd, buffer, bytes);
    return written < 0 ? written : 0;
  }

  /** Writes, as a thread may do that does not know whether the mount still exists. */
  long writeIfOpen(MemorySegment buffer, long bytes) {
    lock.readLock().lock();
    try {
      return closed ? -Errno.ENODEV.code() : write(buffer, bytes);
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Closes the descriptor. With the last one the connection ends. */
  void close() {
    lock.writeLock().lock();
    try {
      if (!closed) {
        closed = true;
        int unused = SystemCalls.close(fd);
      }
    } finally {
      lock.writeLock().unlock();
    }
  }
}
