package corfu.zookeeper.server;

import corfu.zookeeper.machine.NamespaceMachine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import org.apache.zookeeper.server.DataNode;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.EphemeralType;

/**
 * Finds container nodes that have lost their last child, and TTL nodes whose time is over. This
 * server's own clock measures from the moment at which it first saw a TTL node unchanged. A server
 * that starts begins to measure anew, so a TTL node may live longer, but never shorter.
 *
 * <p>One thread uses it.
 */
final class UnusedNodes {

  /**
   * A node to delete.
   *
   * @param path the node
   * @param modified the zxid of its last change
   * @param childrenChanged the zxid of its last change of children
   */
  record Unused(String path, long modified, long childrenChanged) {}

  private record Seen(long modified, long sinceNanos) {}

  private final Supplier<NamespaceMachine> machine;
  private final long everyNanos;
  private final Map<String, Seen> ttlNodes = new HashMap<>();
  private long lastNanos;

  UnusedNodes(Supplier<NamespaceMachine> machine, Duration every, long nowNanos) {
    this.machine = machine;
    this.everyNanos = every.toNanos();
    this.lastNanos = nowNanos;
  }

  /** Returns the nodes to delete, or none if it is not time yet for the next look. */
  List<Unused> due(long nowNanos) {
    if (nowNanos - lastNanos < everyNanos) {
      return List.of();
    }
    lastNanos = nowNanos;
    NamespaceMachine now = machine.get();
    Lock lock = now.readLock();
    lock.lock();
    try {
      return look(now.database().getDataTree(), nowNanos);
    } finally {
      lock.unlock();
    }
  }

  private List<Unused> look(DataTree tree, long nowNanos) {
    List<Unused> unused = new ArrayList<>();
    for (String path : Set.copyOf(tree.getContainers())) {
      DataNode node = tree.getNode(path);
      // One that never had a child waits for its first.
      if (node != null && node.getChildren().isEmpty() && node.stat.getCversion() > 0) {
        unused.add(unused(path, node));
      }
    }
    Set<String> present = new HashSet<>(tree.getTtls());
    ttlNodes.keySet().retainAll(present);
    for (String path : present) {
      DataNode node = tree.getNode(path);
      if (node != null && isOver(path, node, nowNanos) && node.getChildren().isEmpty()) {
        unused.add(unused(path, node));
      }
    }
    return unused;
  }

  private boolean isOver(String path, DataNode node, long nowNanos) {
    long modified = node.stat.getMzxid();
    Seen seen = ttlNodes.get(path);
    if (seen == null || seen.modified() != modified) {
      ttlNodes.put(path, new Seen(modified, nowNanos));
      return false;
    }
    long ttlMillis = EphemeralType.TTL.getValue(node.stat.getEphemeralOwner());
    return nowNanos - seen.sinceNanos() > TimeUnit.MILLISECONDS.toNanos(ttlMillis);
  }

  private static Unused unused(String path, DataNode node) {
    return new Unused(path, node.stat.getMzxid(), node.stat.getPzxid());
  }
}
