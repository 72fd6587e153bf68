package corfu.cli.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.cli.Main;
import corfu.cli.Ran;
import corfu.cli.command.ExitCode;
import corfu.cli.output.Terminal;
import corfu.node.Bootstrap;
import corfu.node.ClusterConfig;
import corfu.node.Node;
import corfu.node.Supervision;
import corfu.node.local.JavaCommand;
import corfu.node.local.LocalCluster;
import corfu.roles.logunit.options.UnitMode;
import corfu.world.RealWorld;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
@SuppressWarnings("try") // a test may be interrupted while it closes a client
class ZooKeeperServeTest {

  private static final String SERVED = "namespace default is served at ";
  private static final int SESSION_TIMEOUT_MILLIS = 30_000;

  @TempDir Path directory;
  private final List<Node> nodes = new ArrayList<>();

  @BeforeEach
  void start() {
    ClusterConfig config;
    try (var world = new RealWorld()) {
      config =
          LocalCluster.at(directory, world)
              .create(2, 2, UnitMode.MEMORY)
              .withSupervision(Supervision.DEFAULT.withAgent(false));
    }
    config.servers().forEach(server -> nodes.add(Node.start(config, server.name())));
    Bootstrap.bootstrap(config);
  }

  @AfterEach
  void stop() {
    nodes.forEach(Node::close);
  }

  private String[] serve(String... options) {
    List<String> arguments =
        new ArrayList<>(List.of("zookeeper", "serve", "--dir", directory.toString()));
    arguments.addAll(List.of(options));
    return arguments.toArray(String[]::new);
  }

  private static ZooKeeper connect(String address) throws Exception {
    var connected = new CountDownLatch(1);
    var client =
        new ZooKeeper(
            address,
            SESSION_TIMEOUT_MILLIS,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
              }
            });
    connected.await();
    return client;
  }

  private static String config(ZooKeeper client) throws Exception {
    client.sync("/");
    return new String(client.getConfig(false, null), UTF_8);
  }

  @Test
  void aStoppedServerLeavesTheConfigNodeAndTheOthersServe() throws Exception {
    Path errors = directory.resolve("serve.err");
    Process process =
        JavaCommand.likeThisProcess(Main.class.getName())
            .with(serve("--port", "0", "--poll", "push", "--tick", "200"))
            .redirectError(errors.toFile())
            .start();
    var out = new PipedOutputStream();
    var terminal = new Terminal(InputStream.nullInputStream(), out, System.err, () -> false);
    Thread second =
        Thread.startVirtualThread(
            () -> Ran.on(terminal, serve("--port", "0", "--poll", "10ms", "--linearizable-reads")));
    try (var firstLines = lines(process.getInputStream());
        var secondLines = lines(new PipedInputStream(out))) {
      String firstAddress = firstLines.readLine().substring(SERVED.length());
      String secondAddress = secondLines.readLine().substring(SERVED.length());
      try (ZooKeeper one = connect(firstAddress);
          ZooKeeper two = connect(secondAddress)) {
        one.create("/a", "x".getBytes(UTF_8), ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        assertThat(two.getData("/a", false, null)).isEqualTo("x".getBytes(UTF_8));
        assertThat(config(two)).contains(firstAddress, secondAddress);
      }

      process.destroy();
      process.waitFor();
      try (ZooKeeper two = connect(secondAddress)) {
        assertThat(config(two)).contains(secondAddress).doesNotContain(firstAddress);
      }
      assertThat(Files.readString(errors)).doesNotContain("INFO  NIOServerCnxn", "ERROR");
    } finally {
      process.destroyForcibly().waitFor();
      second.interrupt();
      second.join();
    }
  }

  private static BufferedReader lines(InputStream in) {
    return new BufferedReader(new InputStreamReader(in, UTF_8));
  }

  @Test
  void aPortInUseIsNamed() throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Ran ran = Ran.corfu(serve("--port", Integer.toString(taken.getLocalPort())));
      assertThat(ran.status()).isEqualTo(ExitCode.FAILED);
      assertThat(ran.err())
          .contains("cannot listen on 127.0.0.1:" + taken.getLocalPort())
          .contains("choose another port");
    }
  }

  @Test
  void anAdminPortInUseEndsTheServer() throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());
      Ran ran = Ran.corfu(serve("--port", "0", "--tick", "100", "--admin-port", port));
      assertThat(ran.status()).isEqualTo(ExitCode.FAILED);
      assertThat(ran.err()).contains("the AdminServer cannot listen on 127.0.0.1:" + port);
    }
  }

  @Test
  void valuesOutOfBoundsAreUsageErrors() {
    List<List<String>> wrong =
        List.of(
            List.of("--port", "65536", "--port is a number from 0 to 65535"),
            List.of("--admin-port", "0", "--admin-port is a number from 1 to 65535"),
            List.of("--tick", "9", "a tick is 9 ms"),
            List.of("--poll", "0ms", "every millisecond at most"),
            List.of("--poll", "often", "a time is a number with ms"),
            List.of("--address", "no.such.host.invalid", "no.such.host.invalid"));
    for (List<String> line : wrong) {
      Ran ran = Ran.corfu(serve(line.get(0), line.get(1)));
      assertThat(ran.status()).as(line.toString()).isEqualTo(ExitCode.USAGE);
      assertThat(ran.err()).contains(line.get(2));
    }
  }
}
