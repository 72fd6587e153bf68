package corfu.silver.internal.node;

import corfu.runtime.stream.StreamRead;
import corfu.silver.DamagedEntryException;
import corfu.silver.NodeId;
import corfu.silver.internal.inode.InodeChange;
import corfu.silver.internal.inode.NodeState;
import corfu.silver.internal.record.SilverCodec;

/** The effects of the entries of a node's stream. */
final class NodeEntries {

  private NodeEntries() {}

  /**
   * Returns the state of a node after one more entry.
   *
   * @throws DamagedEntryException if the entry is no change of this node; its message names the
   *     stream and the address
   */
  static NodeState apply(NodeId node, NodeState before, StreamRead.Entry entry) {
    try {
      SilverCodec.Decoded decoded = SilverCodec.decode(entry.address(), entry.payload());
      return new NodeState(
          InodeChange.apply(node.stream(), before.inode(), entry.address(), decoded),
          entry.address().value() + 1,
          entry.streamAddress().value() + 1);
    } catch (DamagedEntryException damage) {
      throw new DamagedEntryException(node.stream(), damage);
    }
  }
}
