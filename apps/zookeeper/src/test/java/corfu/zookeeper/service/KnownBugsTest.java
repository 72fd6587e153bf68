package corfu.zookeeper.service;

import static corfu.world.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Address;
import corfu.zookeeper.ZooKeeperService;
import corfu.zookeeper.client.StockClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import org.apache.zookeeper.AsyncCallback.StringCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;

/** Bugs that Apache ZooKeeper has had. */
class KnownBugsTest {

  private static final byte[] DATA = "data".getBytes(UTF_8);

  /** Together, the paths are larger than {@code jute.maxbuffer}, which is 1 MiB. */
  private static final int PATHS = 1_300;

  private static final String LONG_NAME = "n".repeat(900);

  private static List<String> longPaths() {
    List<String> paths = new ArrayList<>();
    for (int i = 0; i < PATHS; i++) {
      paths.add("/" + LONG_NAME + i);
    }
    return paths;
  }

  private static void createAll(ZooKeeper client, List<String> paths, CreateMode mode)
      throws InterruptedException {
    var created = new CountDownLatch(paths.size());
    StringCallback count = (code, path, context, name) -> created.countDown();
    for (String path : paths) {
      client.create(path, DATA, Ids.OPEN_ACL_UNSAFE, mode, count, paths);
    }
    created.await();
  }

  /** ZOOKEEPER-4306: the transaction of the close was larger than a packet may be. */
  @Test
  void aSessionWithManyEphemeralsCloses() throws Exception {
    try (Services services = Services.inMemory()) {
      ZooKeeperService first = services.start();
      ZooKeeperService second = services.start();
      try (var other = new StockClient(Services.connectString(second))) {
        int before = other.zooKeeper().getAllChildrenNumber("/");
        try (var client = new StockClient(Services.connectString(first))) {
          createAll(client.zooKeeper(), longPaths(), CreateMode.EPHEMERAL);
          other.zooKeeper().sync("/");
          assertThat(other.zooKeeper().getAllChildrenNumber("/")).isEqualTo(before + PATHS);
        }
        other.zooKeeper().sync("/");
        assertThat(other.zooKeeper().getAllChildrenNumber("/")).isEqualTo(before);
      }
    }
  }

  /** ZOOKEEPER-706: a client with many watches could not connect again. */
  @Test
  void aClientWithMoreThanAMegabyteOfWatchesMovesWithAllOfThem() throws Exception {
    try (Services services = Services.inMemory()) {
      ZooKeeperService first = services.start();
      ZooKeeperService second = services.start();
      List<String> paths = longPaths();
      try (var client = new StockClient(Services.connectString(first));
          var other = new StockClient(Services.connectString(second))) {
        var armed = new CountDownLatch(PATHS);
        for (String path : paths) {
          client
              .zooKeeper()
              .exists(path, client.queue(), (code, name, context, stat) -> armed.countDown(), path);
        }
        armed.await();

        client.zooKeeper().updateServerList(Services.connectString(second));
        first.close();
        client.awaitState(KeeperState.SyncConnected);
        client.zooKeeper().sync("/");
        createAll(other.zooKeeper(), paths, CreateMode.PERSISTENT);

        Set<String> events = new TreeSet<>();
        for (int i = 0; i < PATHS; i++) {
          events.add(client.nextEvent().replace("NodeCreated ", ""));
        }
        assertThat(events).containsExactlyInAnyOrderElementsOf(paths);
      }
    }
  }

  /** ZOOKEEPER-4837: ephemeral nodes remained after their session had ended. */
  @Test
  void noEphemeralNodeOutlivesASessionThatExpiresInMidRequest() throws Exception {
    try (Services services = Services.inMemory()) {
      ZooKeeperService isolated = services.start();
      ZooKeeperService other = services.start();
      var lost = new ZooKeeper(Services.connectString(isolated), 1_000, event -> {});
      try (var client = new StockClient(Services.connectString(other))) {
        lost.create("/e", DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
        long session = lost.getSessionId();
        StringCallback ignore = (code, path, context, name) -> {};
        for (int i = 0; i < PATHS; i++) {
          lost.create("/e" + i, DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL, ignore, lost);
        }
        services.cut(isolated);

        eventually(
            () ->
                assertThat(other.replica().<Set<Long>>read(machine -> machine.sessions().keySet()))
                    .doesNotContain(session));
        client.zooKeeper().sync("/");
        assertThat(client.zooKeeper().getChildren("/", false)).containsExactly("zookeeper");
      } finally {
        lost.close(0);
      }
    }
  }

  /** ZOOKEEPER-3642: a server that took its state from another server lost it at a restart. */
  @Test
  void theStateOfACheckpointOutlivesItsWriterAndItsReader() throws Exception {
    try (Services services = Services.inMemory()) {
      ZooKeeperService writer = services.start();
      createOn(writer, "/before");
      Address checkpoint = writer.replica().checkpoint();
      assertThat(writer.replica().forget(checkpoint)).isGreaterThan(new Address(0));
      createOn(writer, "/after");
      services.cut(writer);

      ZooKeeperService reader = services.start();
      createOn(reader, "/reader");
      services.cut(reader);

      ZooKeeperService last = services.start();
      try (var client = new StockClient(Services.connectString(last))) {
        assertThat(client.zooKeeper().getChildren("/", false))
            .containsExactlyInAnyOrder("zookeeper", "before", "after", "reader");
      }
    }
  }

  private static void createOn(ZooKeeperService service, String path) throws Exception {
    try (var client = new StockClient(Services.connectString(service))) {
      client.zooKeeper().create(path, DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    }
  }
}
