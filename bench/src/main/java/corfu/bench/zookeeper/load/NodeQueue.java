package corfu.bench.zookeeper.load;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/** The queue of ZooKeeper's recipes: items are sequential nodes. One client takes. */
final class NodeQueue {

  private final String root;

  NodeQueue(String root) {
    this.root = root;
  }

  void prepare(ZooKeeper session) throws KeeperException, InterruptedException {
    Sessions.ensure(session, root, new byte[0]);
  }

  /** Adds an item. Returns its path. */
  String offer(ZooKeeper session, byte[] item) throws KeeperException, InterruptedException {
    return session.create(
        root + "/item-", item, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT_SEQUENTIAL);
  }

  /**
   * Waits for an item and removes it.
   *
   * @param waiting counts down when the queue was seen to be empty, or an item was found, or the
   *     look failed
   */
  byte[] take(ZooKeeper session, CountDownLatch waiting)
      throws KeeperException, InterruptedException {
    while (true) {
      var changed = new CountDownLatch(1);
      List<String> items;
      try {
        items = session.getChildren(root, event -> changed.countDown());
      } finally {
        waiting.countDown();
      }
      if (!items.isEmpty()) {
        String first = root + "/" + Collections.min(items);
        byte[] item = session.getData(first, false, null);
        session.delete(first, -1);
        return item;
      }
      changed.await();
    }
  }
}
