package corfu.silver.internal.operation;

import corfu.bytes.BytesView;
import corfu.fuse.protocol.Timestamp;
import corfu.protocol.Address;
import corfu.silver.NodeId;
import corfu.silver.NodeStatus;
import corfu.silver.internal.inode.Content;
import corfu.silver.internal.inode.DirectoryEntries;
import corfu.silver.internal.inode.Inode;
import corfu.silver.internal.inode.Times;
import corfu.silver.internal.record.Stamp;
import java.util.function.Supplier;

/** Computes attributes out of the state of a node and that of its data. */
final class Statuses {

  private Statuses() {}

  /**
   * Returns the attributes of a node.
   *
   * @param data the file's data at the same version, asked for if the file has a data stream
   */
  static NodeStatus of(NodeId node, Inode inode, Supplier<BytesView> data) {
    return switch (inode.content()) {
      case Content.Directory(DirectoryEntries entries, NodeId parent, int subdirectories) ->
          status(
              node,
              inode,
              entries.size(),
              inode.links() == 0 ? 0 : 2 + subdirectories,
              inode.times());
      case Content.Inline(byte[] bytes) ->
          status(node, inode, bytes.length, inode.links(), inode.times());
      case Content.Target(byte[] path) ->
          status(node, inode, path.length, inode.links(), inode.times());
      case Content.Special special -> status(node, inode, 0, inode.links(), inode.times());
      case Content.Spilled spilled -> {
        BytesView view = data.get();
        yield status(node, inode, view.size(), inode.links(), times(inode.times(), view));
      }
    };
  }

  /** A write to the data stream is no entry of the file's own stream. The later change counts. */
  private static Times times(Times own, BytesView data) {
    if (data.lastChange().map(Address::value).orElse(-1L) <= own.modifiedAt()) {
      return own;
    }
    Timestamp written = Stamp.of(data.note()).time();
    Timestamp change = isLater(written, own.change()) ? written : own.change();
    return new Times(own.access(), written, change, own.birth(), own.modifiedAt());
  }

  private static boolean isLater(Timestamp one, Timestamp other) {
    return one.seconds() > other.seconds()
        || (one.seconds() == other.seconds() && one.nanos() > other.nanos());
  }

  private static NodeStatus status(NodeId node, Inode inode, long size, int links, Times times) {
    return new NodeStatus(
        node,
        inode.mode(),
        links,
        inode.uid(),
        inode.gid(),
        inode.device(),
        size,
        times.access(),
        times.modification(),
        times.change(),
        times.birth());
  }
}
