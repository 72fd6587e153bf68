package corfu.fuse.passthrough;

import corfu.fuse.FileSystem;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.linux.FileCalls;
import corfu.fuse.linux.FileStatus;
import corfu.fuse.linux.OpenFlags;
import corfu.fuse.linux.SystemCalls;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that the kernel knows, with the number of its lookups. Each node holds a descriptor, so
 * its inode number is not given to another file. The kernel bounds the number of nodes.
 * Thread-safe.
 */
final class NodeTable {

  private static final byte[] EMPTY = {};

  private record Key(int device, long inode) {}

  private static final class Counted {
    private final Node node;
    private long lookups;

    Counted(Node node) {
      this.node = node;
    }
  }

  private final Map<Long, Node> byId = new ConcurrentHashMap<>();
  private final Map<Key, Counted> byKey = new HashMap<>();
  private long lastId = FileSystem.ROOT;

  /**
   * Returns a table with the root alone.
   *
   * @param rootFd a descriptor of the directory
   */
  NodeTable(int rootFd, FileStatus status) {
    Node root = new Node(FileSystem.ROOT, rootFd, status.containingDevice(), status.inode());
    byId.put(root.id(), root);
    Counted counted = new Counted(root);
    counted.lookups = 1; // the mount's own
    byKey.put(new Key(root.device(), root.inode()), counted);
  }

  /** Returns a node that the kernel knows. */
  @Nullable Node get(long id) {
    return byId.get(id);
  }

  /**
   * Counts a lookup of a name, whose status the caller has just read.
   *
   * @param directory the node of the directory
   * @param name the name
   * @param status the file's status; replaced if another file has the name meanwhile
   */
  Result<Node> lookUp(Node directory, byte[] name, FileStatus status) {
    Node known = count(new Key(status.containingDevice(), status.inode()));
    if (known != null) {
      return Result.of(known);
    }
    int fd =
        FileCalls.openAt(
            directory.fd(),
            name,
            OpenFlags.PATH | OpenFlags.NO_FOLLOW | OpenFlags.CLOSE_ON_EXEC,
            0);
    if (fd < 0) {
      return Result.failed(Errno.of(fd));
    }
    return adopt(fd, status);
  }

  /**
   * Counts a lookup of an open file.
   *
   * @param fd a descriptor, which the table closes if it has another one
   * @param status receives the file's status
   */
  Result<Node> adopt(int fd, FileStatus status) {
    int found = FileCalls.stat(fd, EMPTY, FileCalls.EMPTY_PATH, FileStatus.ALL, status.statx());
    if (found < 0) {
      int unused = SystemCalls.close(fd);
      return Result.failed(Errno.of(found));
    }
    return Result.of(add(fd, new Key(status.containingDevice(), status.inode())));
  }

  private synchronized @Nullable Node count(Key key) {
    Counted known = byKey.get(key);
    if (known == null) {
      return null;
    }
    known.lookups++;
    return known.node;
  }

  private synchronized Node add(int fd, Key key) {
    Node known = count(key);
    if (known != null) {
      int unused = SystemCalls.close(fd);
      return known;
    }
    lastId++;
    Node node = new Node(lastId, fd, key.device, key.inode);
    Counted counted = new Counted(node);
    counted.lookups = 1;
    byKey.put(key, counted);
    byId.put(node.id(), node);
    return node;
  }

  /** Takes back lookups. The last one closes the node's descriptor. */
  synchronized void forget(long id, long lookups) {
    Node node = byId.get(id);
    if (node == null || id == FileSystem.ROOT) {
      return;
    }
    Key key = new Key(node.device(), node.inode());
    Counted counted = byKey.get(key);
    if (counted == null) {
      return;
    }
    counted.lookups -= lookups;
    if (counted.lookups <= 0) {
      byKey.remove(key);
      byId.remove(id);
      int unused = SystemCalls.close(node.fd());
    }
  }

  /** Returns the number of nodes. */
  int size() {
    return byId.size();
  }

  /** Closes all descriptors. */
  synchronized void close() {
    for (Node node : byId.values()) {
      int unused = SystemCalls.close(node.fd());
    }
    byId.clear();
    byKey.clear();
  }
}
