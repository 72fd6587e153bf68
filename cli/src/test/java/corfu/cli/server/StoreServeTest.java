package corfu.cli.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.cli.Ran;
import corfu.cli.command.ExitCode;
import corfu.cli.output.Terminal;
import corfu.node.Bootstrap;
import corfu.node.ClusterConfig;
import corfu.node.Node;
import corfu.node.Supervision;
import corfu.node.local.LocalCluster;
import corfu.roles.logunit.options.UnitMode;
import corfu.store.client.StoreClient;
import corfu.world.RealWorld;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreServeTest {

  /** Nobody dies here, and a busy machine is not to make it look as if. */
  private static final Supervision CALM = Supervision.DEFAULT.withAgent(false);

  @TempDir Path directory;
  private final List<Node> nodes = new ArrayList<>();

  @BeforeEach
  void start() {
    ClusterConfig config;
    try (var world = new RealWorld()) {
      config =
          LocalCluster.at(directory, world).create(2, 2, UnitMode.MEMORY).withSupervision(CALM);
    }
    config.servers().forEach(server -> nodes.add(Node.start(config, server.name())));
    Bootstrap.bootstrap(config);
  }

  @AfterEach
  void stop() {
    nodes.forEach(Node::close);
  }

  @Test
  void aStoreIsServedWhereTheCommandSays() throws Exception {
    var out = new PipedOutputStream();
    var printed = new BufferedReader(new InputStreamReader(new PipedInputStream(out), UTF_8));
    var terminal = new Terminal(InputStream.nullInputStream(), out, System.err, () -> false);
    String[] arguments = {"store", "serve", "--dir", directory.toString(), "--port", "0"};
    Thread serving = Thread.startVirtualThread(() -> Ran.on(terminal, arguments));

    String line = printed.readLine();
    assertThat(line).startsWith("store store is served at http://127.0.0.1:");
    try (StoreClient client = StoreClient.connect(URI.create(line.replaceAll(".* at ", "")))) {
      client.put("a", "1".getBytes(UTF_8));
      assertThat(client.get("a").orElseThrow().text()).isEqualTo("1");
    }
    serving.interrupt();
    serving.join();
  }

  @Test
  void anAddressThatThereIsNotIsAUsageError() {
    Ran ran =
        Ran.corfu(
            "store", "serve", "--dir", directory.toString(), "--listen", "no.such.host.invalid");
    assertThat(ran.status()).isEqualTo(ExitCode.USAGE);
    assertThat(ran.err()).contains("no.such.host.invalid");
  }

  private Ran serve(String... options) {
    List<String> arguments =
        new ArrayList<>(List.of("store", "serve", "--dir", directory.toString()));
    arguments.addAll(List.of(options));
    return Ran.corfu(arguments.toArray(String[]::new));
  }

  @Test
  void aPortThatThereIsNotIsAUsageError() {
    for (String port : List.of("99999", "-1")) {
      Ran ran = serve("--port", port);
      assertThat(ran.status()).isEqualTo(ExitCode.USAGE);
      assertThat(ran.err()).contains("--port is a number from 0 to 65535, but not " + port);
    }
  }

  @Test
  void aPortInUseIsNamed() throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Ran ran = serve("--port", Integer.toString(taken.getLocalPort()));
      assertThat(ran.status()).isEqualTo(ExitCode.FAILED);
      assertThat(ran.err())
          .contains("cannot listen on 127.0.0.1:" + taken.getLocalPort())
          .contains("choose another port");
    }
  }

  @Test
  void limitsThatTogetherExceedTheMemoryAreAUsageError() {
    long heap = Runtime.getRuntime().maxMemory();
    Ran memory = serve("--max-memory", Long.toString(heap));
    assertThat(memory.status()).isEqualTo(ExitCode.USAGE);
    assertThat(memory.err()).contains("max-memory", "max-connections", "-Xmx");
    Ran body = serve("--max-memory", "10000000", "--max-body", "9000000");
    assertThat(body.status()).isEqualTo(ExitCode.USAGE);
    assertThat(body.err()).contains("max-body 9000000", "fits");
    assertThat(serve("--max-requests", "0").status()).isEqualTo(ExitCode.USAGE);
  }
}
