package corfu.zookeeper.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.zookeeper.subject.Subject;
import corfu.zookeeper.subject.SubjectOptions;
import corfu.zookeeper.subject.Subjects;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.Watcher.WatcherType;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** ZooKeeper's own client, unchanged. */
class StockClientTest {

  private static final int CONTAINER_CHECK_MILLIS = 100;

  private static final byte[] DATA = "data".getBytes(UTF_8);

  @ParameterizedTest
  @MethodSource("corfu.zookeeper.subject.Subjects#tested")
  void nodesAreCreatedReadChangedAndDeleted(Subjects subjects) throws Exception {
    try (Subject subject = subjects.start(SubjectOptions.DEFAULT);
        var client = new StockClient(subject)) {
      ZooKeeper zooKeeper = client.zooKeeper();
      Stat created = new Stat();
      create(zooKeeper, "/a", CreateMode.PERSISTENT);
      zooKeeper.create("/a/b", DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT, created);
      String sequential = create(zooKeeper, "/a/s", CreateMode.PERSISTENT_SEQUENTIAL);

      assertThat(sequential).isEqualTo("/a/s0000000001");
      assertThat(zooKeeper.exists("/a/b", false)).isEqualTo(created);
      assertThat(zooKeeper.getData("/a/b", false, null)).isEqualTo(DATA);
      assertThat(zooKeeper.getChildren("/a", false)).containsExactlyInAnyOrder("b", "s0000000001");
      assertThat(zooKeeper.getAllChildrenNumber("/a")).isEqualTo(2);
      assertThat(zooKeeper.setData("/a/b", new byte[0], 0).getVersion()).isEqualTo(1);
      assertThatThrownBy(() -> zooKeeper.setData("/a/b", DATA, 0))
          .isInstanceOf(KeeperException.BadVersionException.class);
      assertThatThrownBy(() -> zooKeeper.delete("/a", -1))
          .isInstanceOf(KeeperException.NotEmptyException.class);
      zooKeeper.delete("/a/b", 1);
      assertThat(zooKeeper.exists("/a/b", false)).isNull();
    }
  }

  @ParameterizedTest
  @MethodSource("corfu.zookeeper.subject.Subjects#tested")
  void aMultiHappensAsAWholeOrNotAtAll(Subjects subjects) throws Exception {
    try (Subject subject = subjects.start(SubjectOptions.DEFAULT);
        var client = new StockClient(subject)) {
      ZooKeeper zooKeeper = client.zooKeeper();
      List<Op> operations = new ArrayList<>();
      operations.add(Op.create("/a", DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
      operations.add(Op.check("/a", 7));
      assertThatThrownBy(() -> zooKeeper.multi(operations))
          .isInstanceOf(KeeperException.BadVersionException.class);
      assertThat(zooKeeper.exists("/a", false)).isNull();

      operations.set(1, Op.check("/a", 0));
      assertThat(zooKeeper.multi(operations)).hasSize(2);
      assertThat(zooKeeper.multi(List.of(Op.getData("/a"), Op.getChildren("/")))).hasSize(2);
    }
  }

  @ParameterizedTest
  @MethodSource("corfu.zookeeper.subject.Subjects#tested")
  void ephemeralNodesVanishWithTheirSession(Subjects subjects) throws Exception {
    try (Subject subject = subjects.start(SubjectOptions.DEFAULT);
        var client = new StockClient(subject)) {
      var other = new StockClient(subject);
      create(other.zooKeeper(), "/e", CreateMode.EPHEMERAL);
      assertThat(other.zooKeeper().getEphemerals()).containsExactly("/e");
      assertThat(client.zooKeeper().exists("/e", client.queue())).isNotNull();

      other.close();

      assertThat(client.nextEvent()).isEqualTo("NodeDeleted /e");
      assertThat(client.zooKeeper().exists("/e", false)).isNull();
    }
  }

  @ParameterizedTest
  @MethodSource("corfu.zookeeper.subject.Subjects#tested")
  void accessControlHoldsForOtherUsers(Subjects subjects) throws Exception {
    try (Subject subject = subjects.start(SubjectOptions.DEFAULT);
        var alice = new StockClient(subject);
        var bob = new StockClient(subject)) {
      alice.zooKeeper().addAuthInfo("digest", "alice:secret".getBytes(UTF_8));
      bob.zooKeeper().addAuthInfo("digest", "bob:secret".getBytes(UTF_8));
      alice.zooKeeper().create("/a", DATA, Ids.CREATOR_ALL_ACL, CreateMode.PERSISTENT);

      assertThat(alice.zooKeeper().getData("/a", false, null)).isEqualTo(DATA);
      assertThatThrownBy(() -> bob.zooKeeper().getData("/a", false, null))
          .isInstanceOf(KeeperException.NoAuthException.class);
      assertThat(alice.zooKeeper().whoAmI().toString()).contains("alice").doesNotContain("bob");
    }
  }

  @ParameterizedTest
  @MethodSource("corfu.zookeeper.subject.Subjects#tested")
  void watchesOfAllKindsFireAndAreRemoved(Subjects subjects) throws Exception {
    try (Subject subject = subjects.start(SubjectOptions.DEFAULT);
        var client = new StockClient(subject);
        var writer = new StockClient(subject)) {
      ZooKeeper zooKeeper = client.zooKeeper();
      create(writer.zooKeeper(), "/a", CreateMode.PERSISTENT);
      zooKeeper.addWatch("/a", client.queue(), AddWatchMode.PERSISTENT_RECURSIVE);
      create(writer.zooKeeper(), "/a/b", CreateMode.PERSISTENT);
      writer.zooKeeper().setData("/a", DATA, -1);
      writer.zooKeeper().setData("/a", DATA, -1);
      assertThat(List.of(client.nextEvent(), client.nextEvent(), client.nextEvent()))
          .containsExactly("NodeCreated /a/b", "NodeDataChanged /a", "NodeDataChanged /a");

      zooKeeper.removeAllWatches("/a", WatcherType.Any, false);
      assertThat(client.nextEvent()).startsWith("PersistentWatchRemoved /a");
      zooKeeper.getData("/a", client.queue(), null);
      writer.zooKeeper().setData("/a", DATA, -1);
      writer.zooKeeper().setData("/a", DATA, -1);
      assertThat(client.nextEvent()).isEqualTo("NodeDataChanged /a");
      zooKeeper.getChildren("/a", client.queue());
      writer.zooKeeper().delete("/a/b", -1);
      assertThat(client.nextEvent()).isEqualTo("NodeChildrenChanged /a");
    }
  }

  @ParameterizedTest
  @MethodSource("corfu.zookeeper.subject.Subjects#tested")
  void sessionsAndTheirNodesAndWatchesOutliveARestart(Subjects subjects) throws Exception {
    try (Subject subject = subjects.start(SubjectOptions.DEFAULT);
        var client = new StockClient(subject)) {
      ZooKeeper zooKeeper = client.zooKeeper();
      create(zooKeeper, "/p", CreateMode.PERSISTENT);
      create(zooKeeper, "/p-ephemeral", CreateMode.EPHEMERAL);
      zooKeeper.getData("/p", client.queue(), null);
      long session = zooKeeper.getSessionId();

      subject.restart();
      client.awaitState(KeeperState.SyncConnected);

      assertThat(zooKeeper.getSessionId()).isEqualTo(session);
      assertThat(zooKeeper.exists("/p-ephemeral", false)).isNotNull();
      zooKeeper.setData("/p", new byte[0], 0);
      assertThat(client.nextEvent()).isEqualTo("NodeDataChanged /p");
    }
  }

  /** The client sends the paths in several packets, because one packet may have a megabyte. */
  @ParameterizedTest
  @MethodSource("corfu.zookeeper.subject.Subjects#tested")
  void moreThanAMegabyteOfWatchesIsArmedAgainAfterARestart(Subjects subjects) throws Exception {
    try (Subject subject = subjects.start(SubjectOptions.DEFAULT);
        var client = new StockClient(subject)) {
      String longPath = "/" + "w".repeat(300);
      int count = 5_000;
      for (int i = 0; i < count; i++) {
        client
            .zooKeeper()
            .exists(longPath + i, client.queue(), (code, path, context, stat) -> {}, 0);
      }
      assertThat(client.zooKeeper().exists("/", false)).isNotNull();

      subject.restart();
      client.awaitState(KeeperState.SyncConnected);

      Set<String> expected = new HashSet<>();
      Set<String> seen = new HashSet<>();
      for (int i = 0; i < count; i += 500) {
        create(client.zooKeeper(), longPath + i, CreateMode.PERSISTENT);
        expected.add("NodeCreated " + longPath + i);
        seen.add(client.nextEvent());
      }
      assertThat(seen).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @MethodSource("corfu.zookeeper.subject.Subjects#tested")
  void expiredNodesAndEmptyContainersAreRemoved(Subjects subjects) throws Exception {
    try (Subject subject =
            subjects.start(
                SubjectOptions.DEFAULT.withContainerCheckMillis(CONTAINER_CHECK_MILLIS));
        var client = new StockClient(subject)) {
      ZooKeeper zooKeeper = client.zooKeeper();
      zooKeeper.create(
          "/ttl", DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT_WITH_TTL, null, 3_000);
      zooKeeper.getData("/ttl", client.queue(), null);
      assertThat(client.nextEvent()).isEqualTo("NodeDeleted /ttl");

      create(zooKeeper, "/container", CreateMode.CONTAINER);
      create(zooKeeper, "/container/child", CreateMode.PERSISTENT);
      zooKeeper.getData("/container", client.queue(), null);
      zooKeeper.delete("/container/child", -1);
      assertThat(client.nextEvent()).isEqualTo("NodeDeleted /container");
    }
  }

  @ParameterizedTest
  @MethodSource("corfu.zookeeper.subject.Subjects#tested")
  void aClientMayLiveBelowANode(Subjects subjects) throws Exception {
    try (Subject subject = subjects.start(SubjectOptions.DEFAULT);
        var client = new StockClient(subject)) {
      create(client.zooKeeper(), "/root", CreateMode.PERSISTENT);
      try (var below = new StockClient(subject.connectString() + "/root")) {
        create(below.zooKeeper(), "/a", CreateMode.PERSISTENT);
      }
      assertThat(client.zooKeeper().getChildren("/root", false)).containsExactly("a");
    }
  }

  private static String create(ZooKeeper zooKeeper, String path, CreateMode mode)
      throws KeeperException, InterruptedException {
    return zooKeeper.create(path, DATA, Ids.OPEN_ACL_UNSAFE, mode);
  }
}
