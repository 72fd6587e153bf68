package corfu.ycsb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.node.Bootstrap;
import corfu.node.ClusterConfig;
import corfu.node.Node;
import corfu.node.local.FreePorts;
import corfu.roles.logunit.options.UnitMode;
import corfu.world.RealWorld;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands of docs/ycsb.md, with YCSB's own client in a process of its own. */
class StockClientTest {

  private static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();
  private static final String US = "./corfu java ";

  @TempDir private Path directory;

  @Test
  void theDocumentedCommandsRunWithoutErrors() throws Exception {
    int port;
    try (RealWorld world = new RealWorld()) {
      port = FreePorts.consecutive(1, world.random());
    }
    ClusterConfig config = ClusterConfig.local(directory, port, 1, 1, UnitMode.MEMORY);
    try (Node node = Node.start(config, "n1")) {
      var unused = Bootstrap.bootstrap(config);
      List<String> commands = commands();
      assertThat(commands).hasSize(3);

      assertThat(run(commands.get(0), node)).contains("[INSERT], Return=OK, 1000");
      assertThat(run(commands.get(1), node))
          .contains("[READ], Return=OK", "[UPDATE], Return=OK")
          .doesNotContain("ERROR");
      assertThat(run(commands.get(2), node)).contains("[SCAN], Return=OK").doesNotContain("ERROR");
    }
  }

  private static List<String> commands() throws Exception {
    String page = Files.readString(ROOT.resolve("docs/ycsb.md"));
    String part = page.split("<!-- commands: begin -->")[1].split("<!-- commands: end -->")[0];
    return part.lines().filter(line -> line.startsWith(US)).toList();
  }

  private String run(String command, Node node) throws Exception {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(List.of("-cp", System.getProperty("java.class.path")));
    String arguments = command.substring(US.length());
    words.addAll(List.of(arguments.replace("$SERVERS", node.endpoint().toString()).split(" ")));
    Path said = directory.resolve("said");
    Process process =
        new ProcessBuilder(words)
            .directory(ROOT.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    int status = process.waitFor();
    String text = Files.readString(said, UTF_8);
    assertThat(status).as(text).isZero();
    return text;
  }
}
