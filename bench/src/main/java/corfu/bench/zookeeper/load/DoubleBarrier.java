package corfu.bench.zookeeper.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/** The double barrier of ZooKeeper's recipes: clients wait until enough of them have entered. */
final class DoubleBarrier {

  private static final String READY = "ready";

  private final String root;
  private final int clients;

  DoubleBarrier(String root, int clients) {
    this.root = root;
    this.clients = clients;
  }

  void prepare(ZooKeeper session) throws KeeperException, InterruptedException {
    Sessions.ensure(session, root, new byte[0]);
  }

  /** Creates a fresh barrier and returns its path. */
  String open(ZooKeeper session) throws KeeperException, InterruptedException {
    return session.create(
        root + "/barrier-", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT_SEQUENTIAL);
  }

  /** Enters and waits for the others. Returns the number of clients that this client has seen. */
  int enter(ZooKeeper session, String barrier, int client)
      throws KeeperException, InterruptedException {
    String ready = barrier + "/" + READY;
    var opened = new CountDownLatch(1);
    boolean isReady = session.exists(ready, event -> opened.countDown()) != null;
    var _ =
        session.create(
            barrier + "/client-" + client, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
    int seen = session.getChildren(barrier, false).size();
    if (seen >= clients) {
      try {
        var _ = session.create(ready, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      } catch (NodeExistsException anotherClientWasLast) {
        // all clients have entered
      }
    } else if (!isReady) {
      opened.await();
    }
    return seen;
  }

  /** Removes a barrier that all clients have entered. Returns the removed paths. */
  List<String> remove(ZooKeeper session, String barrier)
      throws KeeperException, InterruptedException {
    List<String> paths = new ArrayList<>();
    for (int client = 0; client < clients; client++) {
      paths.add(barrier + "/client-" + client);
    }
    paths.add(barrier + "/" + READY);
    paths.add(barrier);
    var _ = session.multi(paths.stream().map(path -> Op.delete(path, -1)).toList());
    return paths;
  }
}
