package corfu.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.node.EmbeddedCluster;
import corfu.protocol.Limits;
import corfu.runtime.Corfu;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.server.quorum.flexible.QuorumMaj;
import org.junit.jupiter.api.Test;

/** Stock clients of ZooKeeper on translation servers. */
@SuppressWarnings("try") // a test may be interrupted while it closes a client
class ZooKeeperServiceTest {

  private static final ZooKeeperOptions OPTIONS =
      ZooKeeperOptions.DEFAULT.withClientAddress(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

  private static ZooKeeper connect(ZooKeeperService service) throws Exception {
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeper client =
        new ZooKeeper(
            "127.0.0.1:" + service.clientPort(),
            10_000,
            event -> {
              if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
                connected.countDown();
              }
            });
    assertThat(connected.await(30, TimeUnit.SECONDS)).isTrue();
    return client;
  }

  @Test
  void clientsOfTwoServersShareTheirNodes() throws Exception {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().nodes(3).replicas(2).start();
        Corfu one = cluster.connect();
        Corfu two = cluster.connect();
        ZooKeeperService first = ZooKeeperService.open(one, OPTIONS);
        ZooKeeperService second = ZooKeeperService.open(two, OPTIONS)) {
      first.awaitReady();
      second.awaitReady();
      try (ZooKeeper a = connect(first);
          ZooKeeper b = connect(second)) {
        a.create("/x", "hello".getBytes(UTF_8), ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        b.sync("/");
        Stat stat = new Stat();
        assertThat(b.getData("/x", false, stat)).isEqualTo("hello".getBytes(UTF_8));
        var config = new Properties();
        config.load(new StringReader(new String(b.getConfig(false, null), UTF_8)));
        var members = new QuorumMaj(config).getAllMembers(); // as Curator reads it
        assertThat(members.values())
            .extracting(server -> server.clientAddr.getPort())
            .containsExactlyInAnyOrder(first.clientPort(), second.clientPort());
      }
    }
  }

  @Test
  void aLogWithoutRoomForTheLongestRequestIsRefusedAtStart() {
    Limits oneMegabyte = Limits.ofPayload(1 << 20);
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().limits(oneMegabyte).start();
        Corfu corfu = cluster.connect()) {
      assertThatThrownBy(() -> ZooKeeperService.open(corfu, OPTIONS))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("jute.maxbuffer", "lower it", "1048576", "max-entry");
    }
  }
}
