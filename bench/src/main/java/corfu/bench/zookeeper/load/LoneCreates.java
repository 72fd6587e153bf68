package corfu.bench.zookeeper.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Recorder;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/** One create at a time, at each server in turn. */
final class LoneCreates {

  private static final int DIGITS = 3;
  private static final int DELETED_TOGETHER = 500;
  private static final String PARENT = "/bench/creates";

  private final Sessions sessions;
  private final byte[] data;

  LoneCreates(Sessions sessions, int bytes) {
    this.sessions = sessions;
    this.data = new byte[bytes];
  }

  /** Creates nodes, one or more, and deletes them when the time is over. */
  LoadOutcome run(Duration time) throws Exception {
    List<ZooKeeper> clients = sessions.spread(sessions.serverCount());
    Sessions.ensure(clients.getFirst(), PARENT, new byte[0]);
    for (ZooKeeper client : clients) {
      client.sync(PARENT, (code, path, context) -> {}, null);
    }
    var latencies = new Recorder(DIGITS);
    List<String> created = new ArrayList<>();
    long begin = System.nanoTime();
    long now = begin;
    do {
      long start = now;
      String path = PARENT + "/" + created.size();
      var _ =
          clients
              .get(created.size() % clients.size())
              .create(path, data, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      created.add(path);
      now = System.nanoTime();
      latencies.recordValue(now - start);
    } while (now - begin < time.toNanos());
    var outcome = LoadOutcome.of(latencies.getIntervalHistogram(), now - begin);
    delete(clients.getFirst(), created);
    return outcome;
  }

  private static void delete(ZooKeeper client, List<String> paths)
      throws KeeperException, InterruptedException {
    for (int i = 0; i < paths.size(); i += DELETED_TOGETHER) {
      var _ =
          client.multi(
              paths.subList(i, Math.min(paths.size(), i + DELETED_TOGETHER)).stream()
                  .map(path -> Op.delete(path, -1))
                  .toList());
    }
  }
}
