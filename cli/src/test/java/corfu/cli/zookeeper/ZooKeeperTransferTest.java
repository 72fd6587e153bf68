package corfu.cli.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.cli.Ran;
import corfu.cli.command.ExitCode;
import corfu.node.Bootstrap;
import corfu.node.ClusterConfig;
import corfu.node.Node;
import corfu.node.Supervision;
import corfu.node.local.LocalCluster;
import corfu.roles.logunit.options.UnitMode;
import corfu.world.RealWorld;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class ZooKeeperTransferTest {

  private static final long SESSION = 0x1234;

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

  private Ran zooKeeper(String command, Path data, String... options) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "zookeeper", command, "--dir", directory.toString(), data.toString(), "--json"));
    arguments.addAll(List.of(options));
    return Ran.corfu(arguments.toArray(String[]::new));
  }

  private Path snapshotOfThreeNodes() throws Exception {
    Path data = directory.resolve("old");
    var tree = new DataTree();
    for (int i = 1; i <= 3; i++) {
      tree.createNode(
          "/n" + i, new byte[10], ZooDefs.Ids.OPEN_ACL_UNSAFE, 0, -1, i, 1_000L, new Stat());
    }
    tree.lastProcessedZxid = 3;
    var files = new FileTxnSnapLog(data.toFile(), data.toFile());
    files.save(tree, new ConcurrentHashMap<>(Map.of(SESSION, 30_000)), true);
    files.close();
    return data;
  }

  @Test
  void anImportedNamespaceIsExported() throws Exception {
    Path old = snapshotOfThreeNodes();
    Ran imported = zooKeeper("import", old, "--namespace", "moved");
    assertThat(imported.status()).as(imported.err()).isEqualTo(ExitCode.OK);
    assertThat(imported.out()).contains("\"namespace\":\"moved\"", "\"sessions\":1", "\"zxid\":3");

    Ran twice = zooKeeper("import", old, "--namespace", "moved");
    assertThat(twice.status()).isEqualTo(ExitCode.FAILED);
    assertThat(twice.err()).contains("namespace moved is in use already");

    Path exported = directory.resolve("exported");
    Ran written = zooKeeper("export", exported, "--namespace", "moved");
    assertThat(written.status()).as(written.err()).isEqualTo(ExitCode.OK);
    assertThat(written.out()).isEqualTo(imported.out());
    var tree = new DataTree();
    var sessions = new ConcurrentHashMap<Long, Integer>();
    var files = new FileTxnSnapLog(exported.toFile(), exported.toFile());
    assertThat(files.restore(tree, sessions, (header, transaction, digest) -> {})).isEqualTo(3);
    files.close();
    assertThat(tree.getNode("/n2").stat.getCzxid()).isEqualTo(2);
    assertThat(sessions).containsEntry(SESSION, 30_000);
  }

  @Test
  void wrongDirectoriesAndNamespacesAreNamed() {
    Path missing = directory.resolve("missing");
    Ran noData = zooKeeper("import", missing);
    assertThat(noData.status()).isEqualTo(ExitCode.FAILED);
    assertThat(noData.err()).contains("missing has no directory version-2");

    Ran noNamespace = zooKeeper("export", missing, "--namespace", "unknown");
    assertThat(noNamespace.status()).isEqualTo(ExitCode.FAILED);
    assertThat(noNamespace.err()).contains("namespace unknown has no changes");
  }
}
