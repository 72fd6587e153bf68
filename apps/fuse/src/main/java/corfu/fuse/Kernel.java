package corfu.fuse;

import corfu.fuse.protocol.Notification;

/** The way from a file system to the kernel that has mounted it. Thread-safe. */
public interface Kernel {

  /**
   * Sends a notification. An invalidation returns when the kernel has dropped its cache. It waits
   * for requests on the same file or directory, so no thread that serves a request may call it. Nor
   * may a virtual thread: it would keep its carrier, which those requests may need.
   *
   * @return {@link Done}, or ENOENT if the kernel does not cache the node or name, or ENODEV if the
   *     file system is not mounted any more
   */
  Result<Done> send(Notification notification);
}
