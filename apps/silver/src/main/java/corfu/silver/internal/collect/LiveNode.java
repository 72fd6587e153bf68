package corfu.silver.internal.collect;

import corfu.bytes.ArrayHistory;
import corfu.fuse.linux.FileMode;
import corfu.silver.NodeId;
import corfu.silver.internal.checkpoint.NodeCheckpoints;
import java.util.Optional;

/** A node that remaining versions reach. Not thread-safe. */
final class LiveNode {

  final NodeId node;
  final int type;

  /** The oldest version that may reach it. */
  final long from;

  /** The state from which its readers go on. */
  Optional<NodeCheckpoints.Checkpoint> keptState = Optional.empty();

  /** The data from which its readers go on. */
  Optional<ArrayHistory.Kept> keptData = Optional.empty();

  LiveNode(NodeId node, int type, long from) {
    this.node = node;
    this.type = type;
    this.from = from;
  }

  boolean isRegular() {
    return FileMode.isRegular(type);
  }

  /** Returns this node, reachable from an older version if that is the case. */
  LiveNode since(long version) {
    return version < from ? new LiveNode(node, type, version) : this;
  }
}
