package corfu.zookeeper.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.world.Eventually;
import corfu.zookeeper.ZooKeeperService;
import corfu.zookeeper.client.StockClient;
import java.nio.file.Path;
import java.util.Set;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions that move between servers, end with one, or begin as local ones. */
class SessionMoveTest {

  private static final byte[] DATA = "data".getBytes(UTF_8);

  private static void create(ZooKeeper client, String path, CreateMode mode)
      throws KeeperException, InterruptedException {
    client.create(path, DATA, Ids.OPEN_ACL_UNSAFE, mode);
  }

  @Test
  void aSessionMovesWithItsEphemeralsAndWatches() throws Exception {
    try (Services services = Services.inMemory()) {
      ZooKeeperService first = services.start();
      ZooKeeperService second = services.start();
      try (var client = new StockClient(Services.connectString(first));
          var other = new StockClient(Services.connectString(second))) {
        long session = client.zooKeeper().getSessionId();
        create(client.zooKeeper(), "/e", CreateMode.EPHEMERAL);
        create(client.zooKeeper(), "/p", CreateMode.PERSISTENT);
        client.zooKeeper().getData("/p", client.queue(), null);
        client.zooKeeper().addWatch("/p", client.queue(), AddWatchMode.PERSISTENT_RECURSIVE);

        client.zooKeeper().updateServerList(Services.connectString(second));
        first.close();
        client.awaitState(KeeperState.SyncConnected);

        assertThat(client.zooKeeper().getSessionId()).isEqualTo(session);
        assertThat(client.zooKeeper().exists("/e", false).getEphemeralOwner()).isEqualTo(session);
        create(other.zooKeeper(), "/p/child", CreateMode.PERSISTENT);
        assertThat(client.nextEvent()).isEqualTo("NodeCreated /p/child");
        other.zooKeeper().setData("/p", DATA, -1);
        assertThat(client.nextEvent()).isEqualTo("NodeDataChanged /p");
        assertThat(client.zooKeeper().getAllChildrenNumber("/")).isEqualTo(6);
        assertThat(client.zooKeeper().whoAmI().toString()).contains("127.0.0.1");
      }
    }
  }

  @Test
  void anotherServerExpiresTheSessionsOfOneThatIsCutOff() throws Exception {
    try (Services services = Services.inMemory()) {
      ZooKeeperService isolated = services.start();
      ZooKeeperService other = services.start();
      var lost = new ZooKeeper(Services.connectString(isolated), 1_000, event -> {});
      try (var client = new StockClient(Services.connectString(other))) {
        create(lost, "/e", CreateMode.EPHEMERAL);
        client.zooKeeper().sync("/");
        assertThat(client.zooKeeper().exists("/e", client.queue())).isNotNull();

        services.cut(isolated);

        assertThat(client.nextEvent()).isEqualTo("NodeDeleted /e");
        Eventually.eventually(
            () ->
                assertThat(new String(client.zooKeeper().getConfig(false, null), UTF_8))
                    .doesNotContain("server.1=")
                    .contains("server.2="));
      } finally {
        lost.close(0);
      }
    }
  }

  @Test
  void aLocalSessionIsInTheLogAfterItsFirstChange() throws Exception {
    try (Services services = Services.inMemory()) {
      ZooKeeperService local = services.start(Services.OPTIONS.withLocalSessions(true));
      ZooKeeperService other = services.start();
      try (var reader = new StockClient(Services.connectString(local));
          var writer = new StockClient(Services.connectString(local));
          var watcher = new StockClient(Services.connectString(other))) {
        assertThat(reader.zooKeeper().exists("/e", false)).isNull();
        create(writer.zooKeeper(), "/e", CreateMode.EPHEMERAL);
        watcher.zooKeeper().sync("/");
        watcher.zooKeeper().exists("/e", watcher.queue());

        Set<Long> inLog = other.replica().read(machine -> machine.sessions().keySet());
        assertThat(inLog)
            .contains(writer.zooKeeper().getSessionId())
            .doesNotContain(reader.zooKeeper().getSessionId());
        writer.zooKeeper().close();
        assertThat(watcher.nextEvent()).isEqualTo("NodeDeleted /e");
      }
    }
  }

  @Test
  void aFurtherServerStartsFromACheckpoint() throws Exception {
    try (Services services = Services.inMemory()) {
      ZooKeeperService first = services.start();
      try (var client = new StockClient(Services.connectString(first))) {
        create(client.zooKeeper(), "/p", CreateMode.PERSISTENT);
        create(client.zooKeeper(), "/e", CreateMode.EPHEMERAL);
        first.replica().forget(first.replica().checkpoint());
        create(client.zooKeeper(), "/later", CreateMode.PERSISTENT);
        ZooKeeperService second = services.start();
        try (var other = new StockClient(Services.connectString(second))) {
          other.zooKeeper().sync("/");
          assertThat(other.zooKeeper().getChildren("/", false))
              .containsExactlyInAnyOrder("p", "e", "later", "zookeeper");
          assertThat(other.zooKeeper().exists("/e", other.queue()).getEphemeralOwner())
              .isEqualTo(client.zooKeeper().getSessionId());
          client.zooKeeper().close();
          assertThat(other.nextEvent()).isEqualTo("NodeDeleted /e");
          long digest = second.replica().read(machine -> machine.digest());
          long expected = first.replica().read(machine -> machine.digest());
          assertThat(digest).isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void clientsThatAllowItReadWhileTheLogIsOutOfReach(@TempDir Path directory) throws Exception {
    try (Services services = Services.in(directory)) {
      ZooKeeperService server = services.start(Services.OPTIONS.withReadOnlyMode(true));
      try (var client = new StockClient(Services.connectString(server))) {
        create(client.zooKeeper(), "/p", CreateMode.PERSISTENT);
      }
      services.stopLog();
      try (var client =
          new StockClient(Services.connectString(server), KeeperState.ConnectedReadOnly)) {
        assertThat(client.zooKeeper().getData("/p", false, null)).isEqualTo(DATA);
        assertThat(client.zooKeeper().getState()).isEqualTo(ZooKeeper.States.CONNECTEDREADONLY);
        Exception refused = null;
        try {
          client.zooKeeper().setData("/p", DATA, -1);
        } catch (KeeperException failure) {
          refused = failure;
        }
        assertThat(refused).isInstanceOf(KeeperException.NotReadOnlyException.class);

        services.startLog();
        client.awaitState(KeeperState.SyncConnected);
        assertThat(client.zooKeeper().setData("/p", DATA, -1).getVersion()).isEqualTo(1);
      }
    }
  }
}
