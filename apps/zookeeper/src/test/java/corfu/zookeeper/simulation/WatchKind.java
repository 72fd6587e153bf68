package corfu.zookeeper.simulation;

import java.util.Optional;

/** The watches of ZooKeeper that fire once. */
enum WatchKind {
  /** Of a read of an existing node: fires when its data changes, or when it is deleted. */
  DATA,
  /** Of a look at an absent node: fires when it is created. */
  EXIST,
  /** Of a list of children: fires when a child comes or goes, or when the node is deleted. */
  CHILD;

  boolean isFired(Optional<NodeState> before, Optional<NodeState> after) {
    return switch (this) {
      case DATA, EXIST -> !before.map(NodeState::modified).equals(after.map(NodeState::modified));
      case CHILD ->
          !before.map(NodeState::childrenModified).equals(after.map(NodeState::childrenModified));
    };
  }
}
