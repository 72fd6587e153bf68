package corfu.silver.mount;

import corfu.fuse.linux.OpenFlags;
import corfu.fuse.protocol.OpenFile;
import corfu.silver.lock.LostLock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The handles of open files, each with that of its data. If a mount loses the locks of an owner,
 * the handles through which it took them fail until they are closed: others may have changed what
 * the owner relies on. Thread-safe.
 */
final class OpenFiles {

  /** The log orders writes of the same bytes, so the kernel need not. */
  private static final int DIRECT = OpenFile.DIRECT_IO | OpenFile.PARALLEL_DIRECT_WRITES;

  private static final byte[] NO_BYTES = {};

  private final Map<Long, Locked> locked = new HashMap<>();
  private final Set<Long> failed = new HashSet<>();
  private final Map<Long, Long> data = new HashMap<>();
  private final Map<Long, byte[]> contents = new HashMap<>(); // of files of the mount itself
  private long last;

  /** The owners whose locks a handle has taken, and the kernel's number of the node. */
  private record Locked(long node, Set<LostLock> owners) {}

  /**
   * Opens a file.
   *
   * @param its the handle of its data
   */
  synchronized OpenFile open(int flags, long its) {
    last++;
    data.put(last, its);
    boolean isDirect = (flags & OpenFlags.DIRECT) != 0;
    return new OpenFile(last, isDirect ? DIRECT : 0);
  }

  /**
   * Opens a file of the mount itself. Its content stays as it is now until somebody reads from its
   * beginning, so that several reads fit together. The kernel must not rely on its size, which is
   * another one at each open.
   */
  synchronized OpenFile open(byte[] content) {
    last++;
    contents.put(last, content);
    return new OpenFile(last, OpenFile.DIRECT_IO);
  }

  /** Returns the handle of an open file's data, or 0. */
  synchronized long data(long handle) {
    return data.getOrDefault(handle, 0L);
  }

  /** Replaces the content of an open file of the mount itself. Returns it. */
  synchronized byte[] renew(long handle, byte[] content) {
    contents.replace(handle, content);
    return content;
  }

  /** Returns the content of an open file of the mount itself. */
  synchronized byte[] content(long handle) {
    return contents.getOrDefault(handle, NO_BYTES);
  }

  /**
   * Records that an owner has taken a lock through a handle.
   *
   * @param node the kernel's number of the node
   */
  synchronized void locked(long handle, long node, LostLock owner) {
    locked
        .computeIfAbsent(handle, unknown -> new Locked(node, new HashSet<>()))
        .owners()
        .add(owner);
  }

  /**
   * Lets the handles of owners fail.
   *
   * @return the kernel's numbers of their nodes
   */
  synchronized Set<Long> lost(List<LostLock> owners) {
    Set<Long> nodes = new HashSet<>();
    locked.forEach(
        (handle, by) -> {
          if (owners.stream().anyMatch(by.owners()::contains)) {
            failed.add(handle);
            nodes.add(by.node());
          }
        });
    return nodes;
  }

  /** Returns whether a handle fails. */
  synchronized boolean hasFailed(long handle) {
    return !failed.isEmpty() && failed.contains(handle);
  }

  synchronized void close(long handle) {
    locked.remove(handle);
    failed.remove(handle);
    contents.remove(handle);
    data.remove(handle);
  }
}
