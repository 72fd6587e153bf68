package corfu.zookeeper.quorum;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.node.Bootstrap;
import corfu.node.ClusterConfig;
import corfu.node.Node;
import corfu.node.local.FreePorts;
import corfu.node.security.LoopbackAuthority;
import corfu.roles.logunit.options.UnitMode;
import corfu.world.RealWorld;
import corfu.zookeeper.machine.NamespaceProperties;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Processes of ZooKeeper's main class, with our jar before ZooKeeper's. */
@Timeout(300)
class QuorumPeerMainTest {

  private static final String MAIN = "org.apache.zookeeper.server.quorum.QuorumPeerMain";
  private static final String SERVED = "clients are served at port ";
  private static final int TIMEOUT_MILLIS = 30_000;

  @TempDir private Path directory;

  private Process start(String... lines) throws IOException {
    Path file = directory.resolve("zoo.cfg");
    Files.write(file, List.of(lines));
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            MAIN,
            file.toString())
        .redirectError(directory.resolve("errors").toFile())
        .start();
  }

  private int port(Process process) throws IOException {
    var out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    String line = out.readLine();
    while (line != null && !line.startsWith(SERVED)) {
      line = out.readLine();
    }
    assertThat(line).as(Files.readString(directory.resolve("errors"))).isNotNull();
    return Integer.parseInt(line.substring(SERVED.length()));
  }

  private static void end(Process process) throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  private static ZooKeeper connect(int port) throws Exception {
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeper client =
        new ZooKeeper(
            "127.0.0.1:" + port,
            TIMEOUT_MILLIS,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
              }
            });
    connected.await();
    return client;
  }

  @Test
  void anEmbeddedClusterKeepsItsNodes() throws Exception {
    String[] config = {
      "tickTime=200",
      "initLimit=10",
      "syncLimit=5",
      "dataDir=" + directory.resolve("data"),
      "clientPort=0",
      "clientPortAddress=127.0.0.1",
      "admin.enableServer=false",
      "server.1=127.0.0.1:2888:3888",
      "server.2=127.0.0.1:2889:3889"
    };
    Process first = start(config);
    try {
      ZooKeeper client = connect(port(first));
      client.create("/kept", "x".getBytes(UTF_8), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      client.close();
    } finally {
      end(first);
    }
    Process second = start(config);
    try {
      ZooKeeper client = connect(port(second));
      assertThat(client.getData("/kept", false, null)).isEqualTo("x".getBytes(UTF_8));
      assertThat(new String(client.getConfig(false, null), UTF_8)).doesNotContain("3888");
      client.close();
    } finally {
      end(second);
    }
  }

  @Test
  void processesOfANamedClusterShareTheirNodes() throws Exception {
    int freePort = FreePorts.consecutive(1, new SplittableRandom(System.nanoTime()));
    var cluster = ClusterConfig.local(directory.resolve("log"), freePort, 1, 1, UnitMode.MEMORY);
    try (Node node = Node.start(cluster, "n1")) {
      Bootstrap.bootstrap(cluster);
      String[] config = {
        "tickTime=200",
        "dataDir=" + directory.resolve("data"),
        "clientPort=0",
        "clientPortAddress=127.0.0.1",
        "admin.enableServer=false",
        "corfu.servers=" + node.endpoint(),
        "corfu.poll=push"
      };
      Process first = start(config);
      Process second = start(config);
      try {
        ZooKeeper one = connect(port(first));
        ZooKeeper other = connect(port(second));
        one.create("/shared", "x".getBytes(UTF_8), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        other.create("/shared/own", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        assertThat(other.getData("/shared", false, null)).isEqualTo("x".getBytes(UTF_8));
        one.close();
        other.close();
      } finally {
        end(first);
        end(second);
      }
    }
  }

  @Test
  void aProcessConnectsByTls() throws Exception {
    Path pki = directory.resolve("pki");
    ClusterConfig cluster;
    try (RealWorld world = new RealWorld()) {
      int freePort = FreePorts.consecutive(1, world.random());
      cluster =
          ClusterConfig.local(directory.resolve("log"), freePort, 1, 1, UnitMode.MEMORY)
              .withSecurity(LoopbackAuthority.prepare(pki, List.of("n1"), world));
    }
    try (Node node = Node.start(cluster, "n1")) {
      Bootstrap.bootstrap(cluster);
      Process process =
          start(
              "tickTime=200",
              "dataDir=" + directory.resolve("data"),
              "clientPort=0",
              "clientPortAddress=127.0.0.1",
              "admin.enableServer=false",
              "corfu.servers=" + node.endpoint(),
              "corfu.tls.ca=" + pki.resolve("ca.pem"),
              "corfu.tls.cert=" + pki.resolve("certificates/client.pem"),
              "corfu.tls.trust-domain=local");
      try {
        ZooKeeper client = connect(port(process));
        client.create("/a", "x".getBytes(UTF_8), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        assertThat(client.getData("/a", false, null)).isEqualTo("x".getBytes(UTF_8));
        client.close();
      } finally {
        end(process);
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          corfu.poll=often      | corfu.poll is a time
          admin.serverPort=x    | admin.serverPort is a port's number
          corfu.dir=/nowhere    | there is no cluster in /nowhere
          corfu.servers=nobody  | nobody
          corfu.tls.cert=a.pem  | set corfu.tls.ca
          """)
  void wrongConfigurationsAreExplained(String line, String explanation) throws Exception {
    Process process =
        start("tickTime=200", "dataDir=" + directory.resolve("data"), "clientPort=0", line);
    assertThat(process.waitFor()).isEqualTo(2);
    assertThat(Files.readString(directory.resolve("errors"))).contains(explanation);
  }

  @Test
  void aHarnessRunsAndClosesAServerInItsOwnProcess() throws Exception {
    NamespaceProperties.set();
    try (var harness = new Harness(config())) {
      ZooKeeper client = connect(harness.port);
      client.create("/kept", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      client.close();
    }
    try (var harness = new Harness(config())) {
      ZooKeeper client = connect(harness.port);
      assertThat(client.exists("/kept", false)).isNotNull();
      client.close();
    }
  }

  private QuorumPeerConfig config() throws Exception {
    Properties keys = new Properties();
    keys.setProperty("tickTime", "200");
    keys.setProperty("dataDir", directory.resolve("data").toString());
    keys.setProperty("clientPort", Integer.toString(freePort()));
    keys.setProperty("clientPortAddress", "127.0.0.1");
    keys.setProperty("admin.enableServer", "false");
    QuorumPeerConfig config = new QuorumPeerConfig();
    config.parseProperties(keys);
    return config;
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static final class Harness extends QuorumPeerMain implements AutoCloseable {
    private final int port;
    private final CompletableFuture<Void> ended;

    Harness(QuorumPeerConfig config) {
      port = config.getClientPortAddress().getPort();
      ended =
          CompletableFuture.runAsync(
              () -> {
                try {
                  runFromConfig(config);
                } catch (IOException failure) {
                  throw new UncheckedIOException(failure);
                }
              },
              task -> Thread.ofPlatform().start(task));
    }

    @Override
    public void close() {
      super.close();
      ended.join();
    }
  }
}
