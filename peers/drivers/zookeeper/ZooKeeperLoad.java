import corfu.peers.load.LoadDriver;
import corfu.peers.load.PeerAppender;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.apache.zookeeper.AsyncCallback.StatCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/**
 * Writes one node of ZooKeeper repeatedly: each write is a transaction in its log.
 *
 * <p>A sequential create is nearer to an append, but would fill ZooKeeper's memory, and is no
 * faster.
 */
final class ZooKeeperLoad {

  private static final int SESSION_MILLIS = 60_000;
  private static final String NODE = "/log";

  public static void main(String[] arguments) throws Exception {
    LoadDriver.serve(
        () -> {
          ZooKeeper keeper = connect(arguments[0]);
          return (payload, isLone) -> new Writes(keeper, payload);
        });
  }

  private static ZooKeeper connect(String servers) throws Exception {
    var connected = new CountDownLatch(1);
    var keeper =
        new ZooKeeper(
            servers,
            SESSION_MILLIS,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
              }
            });
    connected.await();
    keeper.create(NODE, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    return keeper;
  }

  private record Writes(ZooKeeper keeper, byte[] payload) implements PeerAppender {

    @Override
    public CompletableFuture<?> start() {
      var written = new CompletableFuture<Void>();
      StatCallback callback =
          (code, path, context, stat) -> {
            if (code == Code.OK.intValue()) {
              written.complete(null);
            } else {
              written.completeExceptionally(KeeperException.create(Code.get(code), path));
            }
          };
      keeper.setData(NODE, payload, -1, callback, null);
      return written;
    }

    @Override
    public void await() throws Exception {
      keeper.setData(NODE, payload, -1);
    }
  }
}
