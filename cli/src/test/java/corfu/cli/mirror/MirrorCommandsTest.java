package corfu.cli.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.cli.Ran;
import corfu.cli.command.ExitCode;
import corfu.node.Bootstrap;
import corfu.node.ClusterConfig;
import corfu.node.Node;
import corfu.node.local.LocalCluster;
import corfu.roles.logunit.options.UnitMode;
import corfu.world.RealWorld;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands of docs/mirroring.md against servers over TCP; the servers are in this JVM. */
class MirrorCommandsTest {

  @TempDir Path a;
  @TempDir Path b;
  private final List<Node> source = new ArrayList<>();
  private final List<Node> target = new ArrayList<>();

  @BeforeEach
  void start() {
    start(a, source);
    start(b, target);
  }

  private static void start(Path directory, List<Node> nodes) {
    ClusterConfig config;
    try (var world = new RealWorld()) {
      config = LocalCluster.at(directory, world).create(3, 2, UnitMode.MEMORY);
    }
    config.servers().forEach(server -> nodes.add(Node.start(config, server.name())));
    Bootstrap.bootstrap(config);
  }

  @AfterEach
  void stop() {
    source.forEach(Node::close);
    target.forEach(Node::close);
  }

  private Ran mirror(String command, String... more) {
    List<String> arguments = new ArrayList<>(List.of("mirror", command));
    arguments.addAll(List.of("--from", a.toString(), "--to", b.toString()));
    arguments.addAll(List.of(more));
    return Ran.corfu(arguments.toArray(String[]::new));
  }

  private static Ran append(String text, Path to) {
    return Ran.corfu("stream", "append", text, "--stream", "orders", "--dir", to.toString());
  }

  private static List<String> read(Path from) {
    return Ran.corfu("stream", "read", "--stream", "orders", "--dir", from.toString()).lines();
  }

  @Test
  void twoClustersMirrorAndFailOver() {
    List.of("one", "two", "three").forEach(text -> append(text, a));

    Ran caughtUp = mirror("run", "--until-caught-up");
    assertThat(caughtUp.out()).as(caughtUp.err()).isEqualTo("copied up to 3, 0 behind 3\n");
    append("four", a);
    assertThat(mirror("status").lines()).containsExactly("copied up to 3, 1 behind 4");
    assertThat(mirror("run", "--until-caught-up").status()).isZero();
    assertThat(read(b)).containsExactly("one", "two", "three", "four");
    Ran refused = append("five", b);
    assertThat(refused.status()).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(refused.err()).contains("promote the mirror");

    assertThat(Ran.corfu("status", "--dir", b.toString()).out())
        .contains("a mirror of cluster ", "appends of clients are refused")
        .doesNotContain("take appends");
    Ran early = mirror("promote");
    assertThat(early.status()).isEqualTo(ExitCode.FAILED);
    assertThat(early.err()).contains("still serves");
    source.forEach(Node::close);
    source.clear();
    assertThat(mirror("status", "--json").out()).contains("\"copied\":4").contains("true");
    Ran promoted = mirror("promote");
    assertThat(promoted.out()).as(promoted.err()).isEqualTo("promoted; its own log begins at 4\n");

    assertThat(append("five", b).status()).isZero();
    assertThat(read(b)).containsExactly("one", "two", "three", "four", "five");
    assertThat(mirror("status").out()).startsWith("mirrors nothing");
  }

  @Test
  @Timeout(180)
  void aRunEndsByItselfWhenItsMirrorIsPromoted() {
    append("one", a);
    CompletableFuture<Ran> running =
        CompletableFuture.supplyAsync(() -> mirror("run", "--timeout", "10m"));
    while (!mirror("status").out().startsWith("copied up to 1,")) {
      // it begins
    }
    source.forEach(Node::close);
    source.clear();
    assertThat(mirror("promote").status()).isZero();

    Ran run = running.join();
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.err())
        .startsWith("mirrors cluster ")
        .contains(", until it is stopped", "has been promoted");
    assertThat(run.out()).isEqualTo("mirrors nothing; its own log ends at 1\n");
  }

  @Test
  void whatIsMirroredHasToBeNamed() {
    Ran promote = Ran.corfu("mirror", "promote", "--to", b.toString());
    assertThat(promote.status()).isEqualTo(ExitCode.USAGE);
    assertThat(promote.err()).contains("--force");
    Ran run = Ran.corfu("mirror", "run", "--to", b.toString());
    assertThat(run.status()).isEqualTo(ExitCode.USAGE);
    Ran nowhere = Ran.corfu("mirror", "status", "--to", "nowhere");
    assertThat(nowhere.err()).contains("neither a cluster's directory");
  }
}
