package corfu.cli.log;

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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Compression by command, of log units on real disks. */
@Timeout(120)
class CompressCommandTest {

  @TempDir Path directory;
  private final List<Node> nodes = new ArrayList<>();

  @BeforeEach
  void start() {
    ClusterConfig config;
    try (var world = new RealWorld()) {
      config =
          LocalCluster.at(directory, world)
              .create(2, 2, UnitMode.DURABLE)
              .withSupervision(Supervision.DEFAULT.withAgent(false));
    }
    config.servers().forEach(server -> nodes.add(Node.start(config, server.name())));
    Bootstrap.bootstrap(config);
    String lines = "the same words again and again and again\n".repeat(500);
    assertThat(corfuWith(lines, "append").status()).isEqualTo(ExitCode.OK);
  }

  @AfterEach
  void stop() {
    nodes.forEach(Node::close);
  }

  private Ran corfu(String... arguments) {
    return corfuWith("", arguments);
  }

  private Ran corfuWith(String input, String... arguments) {
    var all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--dir", directory.toString()));
    return Ran.corfuWith(input, all.toArray(String[]::new));
  }

  @Test
  void theCommandWaitsAndPrintsTheSizesBeforeAndAfter() {
    String before = corfu("read", "--all").out();

    Ran ran = corfu("compress");

    assertThat(ran.err()).doesNotContain("corfu:");
    assertThat(ran.status()).isEqualTo(ExitCode.OK);
    assertThat(ran.out())
        .matches("log below 500: \\d+\\.?\\d* kB are stored in \\d+\\.?\\d* kB on 2 log units\n");
    assertThat(corfu("read", "--all").out()).isEqualTo(before);
  }

  @Test
  void scriptsGetTheProgressOfEachLogUnit() {
    Ran started = corfu("compress", "--before", "500", "--no-wait", "--json");

    assertThat(started.status()).isEqualTo(ExitCode.OK);
    assertThat(started.out()).startsWith("{\"before\":500,\"plainBytes\":");
    Ran ended = corfu("compress", "--before", "500", "--json");
    assertThat(ended.out()).contains("\"waitingBytes\":0,\"units\":[{\"server\":");
  }

  @Test
  void aServerThatIsDownIsNamed() {
    nodes.removeLast().close();

    Ran ran = corfu("compress");

    assertThat(ran.status()).isEqualTo(ExitCode.PARTLY_DONE);
    assertThat(ran.err()).contains("run the command again when the server is back");
    assertThat(ran.out()).contains("are stored in");
  }

  @Test
  void anAddressBehindTheTailIsRefused() {
    Ran ran = corfu("compress", "--before", "501");

    assertThat(ran.status()).isEqualTo(ExitCode.UNWRITTEN);
    assertThat(ran.err()).contains("compress everything before address 501");
  }
}
