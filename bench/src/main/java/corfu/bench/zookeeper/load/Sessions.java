package corfu.bench.zookeeper.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/** The sessions with the servers of one ensemble. Each stays with one server. Not thread-safe. */
final class Sessions {

  private static final int TIMEOUT_MILLIS = 60_000;
  private static final long CONNECT_SECONDS = 60;

  private final List<List<ZooKeeper>> ofServer = new ArrayList<>();
  private final List<String> servers;

  Sessions(List<String> servers) {
    this.servers = List.copyOf(servers);
    servers.forEach(server -> ofServer.add(new ArrayList<>()));
  }

  /** Returns this many sessions, at all servers in turn. */
  List<ZooKeeper> spread(int count) throws IOException, InterruptedException {
    List<ZooKeeper> sessions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sessions.add(session(i % servers.size(), i / servers.size()));
    }
    return sessions;
  }

  /** Returns this many sessions at one server. */
  List<ZooKeeper> at(int server, int count) throws IOException, InterruptedException {
    List<ZooKeeper> sessions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sessions.add(session(server, i));
    }
    return sessions;
  }

  int serverCount() {
    return servers.size();
  }

  private ZooKeeper session(int server, int number) throws IOException, InterruptedException {
    List<ZooKeeper> open = ofServer.get(server);
    while (open.size() <= number) {
      open.add(connect(servers.get(server)));
    }
    return open.get(number);
  }

  private static ZooKeeper connect(String server) throws IOException, InterruptedException {
    var connected = new CountDownLatch(1);
    var session =
        new ZooKeeper(
            server,
            TIMEOUT_MILLIS,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
              }
            });
    if (!connected.await(CONNECT_SECONDS, TimeUnit.SECONDS)) {
      session.close();
      throw new IOException("no session with %s after %d s".formatted(server, CONNECT_SECONDS));
    }
    return session;
  }

  /** Creates a node and its parents, unless they exist. */
  static void ensure(ZooKeeper session, String path, byte[] data)
      throws KeeperException, InterruptedException {
    int slash = path.lastIndexOf('/');
    if (slash > 0 && session.exists(path.substring(0, slash), false) == null) {
      ensure(session, path.substring(0, slash), new byte[0]);
    }
    try {
      var _ = session.create(path, data, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    } catch (NodeExistsException alreadyThere) {
      // an earlier order created it
    }
  }

  /** Closes all sessions. The ensemble must still run. */
  void close() throws InterruptedException {
    for (List<ZooKeeper> sessions : ofServer) {
      for (ZooKeeper session : sessions) {
        session.close();
      }
      sessions.clear();
    }
  }
}
