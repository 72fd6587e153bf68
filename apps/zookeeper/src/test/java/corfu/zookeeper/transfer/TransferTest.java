package corfu.zookeeper.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.node.EmbeddedCluster;
import corfu.runtime.Corfu;
import corfu.smr.MachineNotEmptyException;
import corfu.zookeeper.ZooKeeperOptions;
import corfu.zookeeper.ZooKeeperService;
import corfu.zookeeper.subject.RealSubject;
import corfu.zookeeper.subject.SubjectOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Quotas;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Imports from Apache ZooKeeper, and exports to it. */
class TransferTest {

  /** A node with everything that clients see of it. */
  private record Node(String data, Stat stat, List<ACL> acl) {}

  /** The list of servers, and the root a second time: ZooKeeper counts it so. */
  private static final int UNLISTED = 2;

  private static final int TIMEOUT_MILLIS = 60_000;
  private static final int PATIENCE_SECONDS = 120;
  private static final byte[] PASSWORD = "ada:lovelace".getBytes(UTF_8);

  private static final ZooKeeperOptions OPTIONS =
      ZooKeeperOptions.DEFAULT
          .withClientAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
          .withTimes(500, 100, SubjectOptions.MAX_SESSION_TIMEOUT_MILLIS);

  @TempDir private Path directory;

  private static ZooKeeper connect(int port, long session, byte[] password) throws Exception {
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeper client =
        new ZooKeeper(
            "127.0.0.1:" + port,
            TIMEOUT_MILLIS,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
              }
            },
            session,
            password);
    assertThat(connected.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).as("connected").isTrue();
    client.addAuthInfo("digest", PASSWORD);
    return client;
  }

  private static ZooKeeper connect(int port) throws Exception {
    return connect(port, 0, new byte[16]);
  }

  private static void createNodes(ZooKeeper client) throws Exception {
    byte[] data = "data".getBytes(UTF_8);
    client.create("/open", data, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    client.create("/own", data, Ids.CREATOR_ALL_ACL, CreateMode.PERSISTENT);
    client.create("/open/number-", data, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT_SEQUENTIAL);
    client.setData("/open", "changed".getBytes(UTF_8), 0);
    client.setACL("/open", Ids.READ_ACL_UNSAFE, 0);
    client.create("/container", data, Ids.OPEN_ACL_UNSAFE, CreateMode.CONTAINER);
    client.create(
        "/ttl",
        data,
        Ids.OPEN_ACL_UNSAFE,
        CreateMode.PERSISTENT_WITH_TTL,
        new Stat(),
        TIMEOUT_MILLIS * 10L);
    client.create("/limited", data, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    client.create("/zookeeper/quota/limited", data, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    client.create(
        Quotas.limitPath("/limited"),
        "count=5,bytes=-1".getBytes(UTF_8),
        Ids.OPEN_ACL_UNSAFE,
        CreateMode.PERSISTENT);
    client.create(
        Quotas.statPath("/limited"),
        "count=1,bytes=4".getBytes(UTF_8),
        Ids.OPEN_ACL_UNSAFE,
        CreateMode.PERSISTENT);
    client.create("/limited/child", data, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    client.create("/limited/gone", data, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    client.delete("/limited/gone", 0);
    client.create("/here", data, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
  }

  /** Returns all nodes but the list of servers. */
  private static Map<String, Node> nodes(ZooKeeper client) throws Exception {
    Map<String, Node> nodes = new TreeMap<>();
    addNodes(client, "/", nodes);
    nodes.remove(ZooDefs.CONFIG_NODE);
    return nodes;
  }

  private static void addNodes(ZooKeeper client, String path, Map<String, Node> nodes)
      throws Exception {
    Stat stat = new Stat();
    byte[] data = client.getData(path, false, stat);
    String text = data == null ? "" : new String(data, UTF_8);
    nodes.put(path, new Node(text, stat, client.getACL(path, new Stat())));
    for (String child : client.getChildren(path, false)) {
      addNodes(client, path.equals("/") ? "/" + child : path + "/" + child, nodes);
    }
  }

  @Test
  void anImportKeepsNodesAndSessions() throws Exception {
    try (RealSubject real = RealSubject.start("ZooKeeper", SubjectOptions.DEFAULT);
        EmbeddedCluster cluster = EmbeddedCluster.builder().nodes(2).replicas(2).start();
        Corfu corfu = cluster.connect()) {
      ZooKeeper before = connect(real.port());
      createNodes(before);
      real.restart(); // so that there is a snapshot of some nodes, and a log of the others
      before.create("/late", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
      Map<String, Node> expected = nodes(before);
      TransferSummary imported = NamespaceImport.run(corfu, "moved", real.data(), real.data());
      assertThat(imported.sessions()).isEqualTo(1);
      assertThat(imported.nodes()).isEqualTo(expected.size() + UNLISTED);
      try (ZooKeeperService service =
          ZooKeeperService.open(corfu, OPTIONS.withNamespace("moved"))) {
        service.awaitReady();
        ZooKeeper after =
            connect(service.clientPort(), before.getSessionId(), before.getSessionPasswd());
        assertThat(after.getSessionId()).isEqualTo(before.getSessionId());
        assertThat(nodes(after)).isEqualTo(expected);
        after.close();
        ZooKeeper other = connect(service.clientPort());
        assertThat(other.exists("/here", false)).as("a node of the closed session").isNull();
        assertThat(other.exists("/late", false)).as("a node of the closed session").isNull();
        assertThat(other.exists("/own", false).getCzxid())
            .isEqualTo(expected.get("/own").stat().getCzxid());
        other.setData("/ttl", new byte[0], -1);
        assertThat(other.exists("/ttl", false).getMzxid()).isGreaterThan(imported.zxid());
        other.close();
      }
      before.close();
    }
  }

  @Test
  void importedSessionsExpireWithoutTheirClients() throws Exception {
    try (RealSubject real = RealSubject.start("ZooKeeper", SubjectOptions.DEFAULT);
        EmbeddedCluster cluster = EmbeddedCluster.builder().nodes(2).replicas(2).start();
        Corfu corfu = cluster.connect()) {
      ZooKeeper before = new ZooKeeper("127.0.0.1:" + real.port(), 1_000, event -> {}, false);
      before.create("/here", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
      NamespaceImport.run(corfu, "moved", real.data(), real.data());
      before.close();
      try (ZooKeeperService service =
          ZooKeeperService.open(corfu, OPTIONS.withNamespace("moved"))) {
        service.awaitReady();
        ZooKeeper client = connect(service.clientPort());
        CountDownLatch gone = new CountDownLatch(1);
        if (client.exists("/here", event -> gone.countDown()) == null) {
          gone.countDown();
        }
        assertThat(gone.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).as("expired").isTrue();
        assertThat(client.exists("/here", false)).isNull();
        client.close();
      }
    }
  }

  @Test
  void aZooKeeperServerStartsFromAnExport() throws Exception {
    Path exported = directory.resolve("exported");
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().nodes(2).replicas(2).start();
        Corfu corfu = cluster.connect();
        ZooKeeperService service = ZooKeeperService.open(corfu, OPTIONS)) {
      service.awaitReady();
      ZooKeeper before = connect(service.clientPort());
      createNodes(before);
      Map<String, Node> expected = nodes(before);
      var past = service.replica().played();
      before.create("/later", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      TransferSummary summary =
          NamespaceExport.run(corfu, OPTIONS.namespace(), Optional.of(past), exported);
      assertThat(summary.nodes()).isEqualTo(expected.size() + UNLISTED);
      Path newest = directory.resolve("newest");
      assertThat(NamespaceExport.run(corfu, OPTIONS.namespace(), Optional.empty(), newest).nodes())
          .isEqualTo(expected.size() + UNLISTED + 1);
      assertThatThrownBy(
              () -> NamespaceExport.run(corfu, OPTIONS.namespace(), Optional.empty(), exported))
          .hasMessageContaining("empty directory");
      try (RealSubject real = RealSubject.startOn(exported, SubjectOptions.DEFAULT)) {
        ZooKeeper after = connect(real.port(), before.getSessionId(), before.getSessionPasswd());
        assertThat(after.getSessionId()).isEqualTo(before.getSessionId());
        assertThat(nodes(after)).isEqualTo(expected);
        after.close();
      }
      before.close();
    }
  }

  @Test
  void wrongImportsAreRefused() throws Exception {
    try (RealSubject real = RealSubject.start("ZooKeeper", SubjectOptions.DEFAULT);
        EmbeddedCluster cluster = EmbeddedCluster.builder().nodes(2).replicas(2).start();
        Corfu corfu = cluster.connect()) {
      assertThatThrownBy(() -> NamespaceImport.run(corfu, "moved", directory, directory))
          .isInstanceOf(NotDirectoryException.class)
          .hasMessageContaining("dataDir");
      assertThat(Files.exists(directory.resolve("version-2"))).isFalse();
      NamespaceImport.run(corfu, "moved", real.data(), real.data());
      assertThatThrownBy(() -> NamespaceImport.run(corfu, "moved", real.data(), real.data()))
          .isInstanceOf(MachineNotEmptyException.class);
      assertThatThrownBy(() -> NamespaceExport.run(corfu, "unknown", Optional.empty(), directory))
          .hasMessageContaining("no changes");
    }
  }

  @Test
  void anImportNeedsNoPermissionToWrite() throws Exception {
    try (RealSubject real = RealSubject.start("ZooKeeper", SubjectOptions.DEFAULT);
        EmbeddedCluster cluster = EmbeddedCluster.builder().nodes(2).replicas(2).start();
        Corfu corfu = cluster.connect()) {
      ZooKeeper client = connect(real.port());
      client.create("/here", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      client.close();
      Path files = real.data().resolve("version-2");
      Path sameLogs = directory.resolve("logs");
      Files.createSymbolicLink(sameLogs, real.data());
      Set<PosixFilePermission> before = Files.getPosixFilePermissions(files);
      Files.setPosixFilePermissions(files, PosixFilePermissions.fromString("r-xr-xr-x"));
      try {
        TransferSummary imported = NamespaceImport.run(corfu, "moved", real.data(), sameLogs);
        assertThat(imported.nodes()).isEqualTo(UNLISTED + 4);
      } finally {
        Files.setPosixFilePermissions(files, before);
      }
    }
  }
}
