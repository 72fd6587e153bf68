package corfu.zookeeper.server;

import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.ServerCnxn.DisconnectReason;
import org.apache.zookeeper.server.ZooKeeperServer;

/** The end of requests that ZooKeeper's own processor does not see. */
final class RequestEnd {

  private RequestEnd() {}

  /** Counts a request as done. */
  static void finished(ZooKeeperServer server, Request request) {
    server.decInProcess();
    server.requestFinished(request);
  }

  /** Closes the connection of a request that gets no reply. */
  static void drop(ZooKeeperServer server, Request request, DisconnectReason reason) {
    finished(server, request);
    request.cnxn.close(reason);
  }

  /** Closes the connection of a request that gets no reply, because its outcome is unknown. */
  static void abandon(ZooKeeperServer server, Request request) {
    drop(server, request, DisconnectReason.SERVER_SHUTDOWN);
  }
}
