package corfu.bench.zookeeper.load;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/** The lock of ZooKeeper's recipes: each client watches the node before its own. */
final class SequentialLock {

  private final String root;

  SequentialLock(String root) {
    this.root = root;
  }

  void prepare(ZooKeeper session) throws KeeperException, InterruptedException {
    Sessions.ensure(session, root, new byte[0]);
  }

  /** Waits for the lock. Returns the path whose deletion releases it. */
  String acquire(ZooKeeper session) throws KeeperException, InterruptedException {
    String own =
        session.create(
            root + "/lock-", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL);
    String name = own.substring(root.length() + 1);
    while (true) {
      List<String> waiting = session.getChildren(root, false).stream().sorted().toList();
      int place = waiting.indexOf(name);
      if (place < 0) {
        throw new IllegalStateException(own + " is gone: its session has expired");
      }
      if (place == 0) {
        return own;
      }
      var released = new CountDownLatch(1);
      String before = root + "/" + waiting.get(place - 1);
      if (session.exists(before, event -> released.countDown()) != null) {
        released.await();
      }
    }
  }
}
