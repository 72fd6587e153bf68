package corfu.silver.mount;

import corfu.fuse.linux.FileMode;
import corfu.fuse.protocol.Attributes;
import corfu.fuse.protocol.Timestamp;
import corfu.silver.NodeStatus;
import corfu.silver.SilverFileSystem;

/** Attributes as the kernel wants them. */
final class AttributeReplies {

  private static final int BLOCK_BYTES = 512;
  private static final int TRANSFER_BYTES = 1 << 20;

  private AttributeReplies() {}

  /** Returns the attributes of a node of a file system. */
  static Attributes of(SilverFileSystem files, NodeStatus status) {
    return new Attributes(
        inodeNumber(files, status),
        status.size(),
        (status.size() + BLOCK_BYTES - 1) / BLOCK_BYTES,
        status.access(),
        status.modification(),
        status.change(),
        status.mode(),
        status.links(),
        status.uid(),
        status.gid(),
        status.device(),
        TRANSFER_BYTES);
  }

  /** The same file has other numbers in other versions, so that tools tell them apart. */
  private static long inodeNumber(SilverFileSystem files, NodeStatus status) {
    return mixed(status.node().inodeNumber(), files.version().orElse(-1));
  }

  static long mixed(long number, long version) {
    long mixed = version < 0 ? number : number ^ ((version + 1) * 0x9e3779b97f4a7c15L);
    return mixed == 0 ? 1 : mixed;
  }

  /** Returns the attributes of a node that the mount adds. */
  static Attributes of(MountedNode node, long size, Timestamp time) {
    boolean isDirectory =
        !(node == MountedNode.Control.VERSION || node == MountedNode.Control.STATS);
    return new Attributes(
        mixed(node.hashCode(), 0),
        size,
        0,
        time,
        time,
        time,
        isDirectory ? FileMode.DIRECTORY | 0555 : FileMode.REGULAR | 0444,
        isDirectory ? 2 : 1,
        0,
        0,
        0,
        TRANSFER_BYTES);
  }
}
