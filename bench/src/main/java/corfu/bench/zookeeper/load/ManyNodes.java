package corfu.bench.zookeeper.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/** Many nodes, in parents of a thousand nodes each. A parent and its nodes are one transaction. */
final class ManyNodes {

  private static final int CHILDREN = 1000;
  private static final int TRANSACTIONS_IN_FLIGHT = 8;
  private static final String ROOT = "/many";

  private final Sessions sessions;

  ManyNodes(Sessions sessions) {
    this.sessions = sessions;
  }

  /** Creates the nodes. */
  LoadOutcome create(int nodes, int bytes) throws Exception {
    ZooKeeper client = sessions.at(0, 1).getFirst();
    Sessions.ensure(client, ROOT, new byte[0]);
    var room = new Semaphore(TRANSACTIONS_IN_FLIGHT);
    var failure = new AtomicReference<>(Code.OK);
    int parents = nodes / CHILDREN;
    long begin = System.nanoTime();
    for (int parent = 0; parent < parents && failure.get() == Code.OK; parent++) {
      room.acquire();
      client.multi(
          transaction(parent, bytes),
          (code, path, context, results) -> {
            if (code != Code.OK.intValue()) {
              failure.set(Code.get(code));
            }
            room.release();
          },
          null);
    }
    room.acquire(TRANSACTIONS_IN_FLIGHT);
    if (failure.get() != Code.OK) {
      throw new IllegalStateException("nodes were not created: " + failure.get());
    }
    return new LoadOutcome((long) parents * CHILDREN, System.nanoTime() - begin, 0, 0);
  }

  private static List<Op> transaction(int parent, int bytes) {
    List<Op> operations = new ArrayList<>();
    String directory = "%s/%d".formatted(ROOT, parent);
    operations.add(created(directory, 0));
    for (int child = 0; child < CHILDREN; child++) {
      operations.add(created(directory + "/" + child, bytes));
    }
    return operations;
  }

  private static Op created(String path, int bytes) {
    return Op.create(path, new byte[bytes], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
  }

  /**
   * Counts the nodes at every server.
   *
   * @throws IllegalStateException if a server has another number of nodes
   */
  LoadOutcome check(int nodes) throws Exception {
    long expected = (long) nodes / CHILDREN * (CHILDREN + 1);
    for (ZooKeeper client : sessions.spread(sessions.serverCount())) {
      int found = client.getAllChildrenNumber(ROOT);
      if (found != expected) {
        throw new IllegalStateException(
            "%s has %,d nodes, not %,d".formatted(ROOT, found, expected));
      }
    }
    return LoadOutcome.NOTHING;
  }
}
