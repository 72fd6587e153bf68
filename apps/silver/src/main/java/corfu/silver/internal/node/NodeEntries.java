package corfu.silver.internal.node;

import corfu.runtime.stream.StreamRead;
import corfu.silver.DamagedEntryException;
import corfu.silver.NodeId;
import corfu.silver.internal.inode.Inode;
import corfu.silver.internal.inode.InodeChange;
import corfu.silver.internal.record.SilverCodec;
import java.util.Optional;

/** The effects of the entries of a node's stream. */
final class NodeEntries {

  private NodeEntries() {}

  /**
   * Returns the state of a node after one more entry.
   *
   * @throws DamagedEntryException if the entry is no change of this node; its message names the
   *     stream and the address
   */
  static Optional<Inode> apply(NodeId node, Optional<Inode> before, StreamRead.Entry entry) {
    try {
      SilverCodec.Decoded decoded = SilverCodec.decode(entry.address(), entry.payload());
      return InodeChange.apply(node.stream(), before, entry.address(), decoded);
    } catch (DamagedEntryException damage) {
      throw new DamagedEntryException(node.stream(), damage);
    }
  }
}
