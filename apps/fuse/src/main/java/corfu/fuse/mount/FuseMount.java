package corfu.fuse.mount;

import corfu.fuse.FileSystem;
import corfu.fuse.Kernel;
import corfu.fuse.linux.Errno;
import corfu.fuse.linux.SystemCalls;
import corfu.fuse.protocol.InitReply;
import corfu.fuse.protocol.Opcode;
import corfu.world.World;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A mounted file system. The kernel's requests are served until the mount is unmounted, here or by
 * {@code umount}. If the process ends first, the kernel aborts the connection: callers get
 * ENOTCONN, and the dead mount point has to be unmounted. Thread-safe.
 */
public final class FuseMount implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(FuseMount.class);

  private final MountPoint mountPoint;
  private final Connection connection;
  private final boolean helped;

  private FuseMount(MountPoint mountPoint, Connection connection, boolean helped) {
    this.mountPoint = mountPoint;
    this.connection = connection;
    this.helped = helped;
  }

  /**
   * Mounts a file system. When the method returns, the mount is usable. Root mounts by itself;
   * other users need {@code fusermount3}.
   *
   * @param world the source of threads
   * @param fileSystem the file system
   * @param directory an empty directory
   * @param options how to mount
   * @throws MountException if the directory does not exist, is not empty, is no directory or is a
   *     mount; if {@code /dev/fuse} is missing; if this process may not mount
   */
  public static FuseMount mount(
      World world, FileSystem fileSystem, Path directory, MountOptions options)
      throws MountException {
    MountPoint mountPoint = new MountPoint(directory);
    mountPoint.check(options.access().allowNonEmpty());
    boolean root = SystemCalls.effectiveUserId() == 0;
    Device device;
    if (root) {
      device = Device.open();
      try {
        mountPoint.mount(device.fd(), options);
      } catch (MountException e) {
        device.close();
        throw e;
      }
    } else {
      device = new FuserMount(mountPoint.path()).mount(options);
    }
    MemorySegment buffer = SystemCalls.map(Connection.bufferBytes(options));
    try {
      InitReply negotiated = Negotiation.run(device, buffer, options);
      Connection connection = new Connection(world, fileSystem, options, device, negotiated);
      connection.start();
      int readAhead = options.transfer().maxReadAheadBytes();
      if (readAhead > negotiated.maxReadAhead() && ReadAhead.set(directory, readAhead)) {
        LOG.debug("The kernel reads {} bytes ahead in {}", readAhead, directory);
      }
      return new FuseMount(mountPoint, connection, !root);
    } catch (MountException e) {
      device.close();
      unmount(directory, true);
      throw e;
    } finally {
      int unused = SystemCalls.unmap(buffer);
    }
  }

  /**
   * Checks that a directory is fit for a mount. {@link #mount} checks it, too.
   *
   * @throws MountException if the directory does not exist, is not empty, is no directory or is a
   *     mount
   */
  public static void check(Path directory) throws MountException {
    new MountPoint(directory).check(false);
  }

  /**
   * Unmounts any FUSE file system, even one whose process has ended.
   *
   * @param directory the mount point
   * @param detach whether a mount in use is detached; it then ends with its last user
   * @throws MountException if the mount is in use, if nothing is mounted, or if this process may
   *     not unmount
   */
  public static void unmount(Path directory, boolean detach) throws MountException {
    MountPoint mountPoint = new MountPoint(directory);
    if (SystemCalls.effectiveUserId() == 0) {
      mountPoint.unmount(detach ? SystemCalls.UNMOUNT_DETACH : 0);
    } else {
      new FuserMount(mountPoint.path()).unmount(detach);
    }
  }

  /** Returns the directory. */
  public Path mountPoint() {
    return mountPoint.path();
  }

  /** Returns the way to send notifications. */
  public Kernel kernel() {
    return connection;
  }

  /** Returns the features and sizes that the kernel and the options agree on. */
  public InitReply negotiated() {
    return connection.negotiated();
  }

  /** Returns the work since the start. */
  public Counters counters() {
    return connection.counters();
  }

  /** Returns the number of requests of each kind since the start, for the kinds that occurred. */
  public Map<Opcode, Long> requestsByKind() {
    return connection.requestsByKind();
  }

  /** Returns the number of worker threads. */
  public int threads() {
    return connection.threads();
  }

  /** Returns a future that completes when the mount has ended and all its threads have, too. */
  public CompletableFuture<Void> end() {
    return connection.end().copy();
  }

  /**
   * Unmounts, and waits for the end of all requests.
   *
   * @throws MountException if the mount is in use
   */
  public void unmount() throws MountException {
    unmount(mountPoint.path(), false);
    connection.end().join();
  }

  /**
   * Unmounts, even if the mount is in use. Then the kernel aborts the connection: users of open
   * files get ENOTCONN or EIO. Does nothing if the mount has ended.
   */
  @Override
  public void close() throws MountException {
    if (connection.end().isDone()) {
      return;
    }
    try {
      unmount(mountPoint.path(), false);
    } catch (MountException e) {
      if (e.errno() != Errno.EBUSY || helped) {
        throw e;
      }
      abort();
    }
    connection.end().join();
  }

  private void abort() throws MountException {
    try {
      mountPoint.unmount(SystemCalls.UNMOUNT_FORCE);
    } catch (MountException e) {
      if (e.errno() != Errno.EBUSY) {
        throw e;
      }
      mountPoint.unmount(SystemCalls.UNMOUNT_DETACH); // aborted, and still in use
    }
  }
}
