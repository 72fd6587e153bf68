package corfu.cli.silver;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.cli.Ran;
import corfu.cli.command.ExitCode;
import corfu.fuse.testing.FuseMachine;
import corfu.node.Bootstrap;
import corfu.node.ClusterConfig;
import corfu.node.Node;
import corfu.node.Supervision;
import corfu.node.local.LocalCluster;
import corfu.roles.logunit.options.UnitMode;
import corfu.world.RealWorld;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class SilverCommandsTest {

  @TempDir Path directory;
  private final List<Node> nodes = new ArrayList<>();

  @BeforeEach
  void start() {
    ClusterConfig config;
    try (var world = new RealWorld()) {
      config =
          LocalCluster.at(directory.resolve("cluster"), world)
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

  private Ran silver(String... arguments) {
    List<String> all = new ArrayList<>(List.of("silver"));
    all.addAll(List.of(arguments));
    all.addAll(List.of("--dir", directory.resolve("cluster").toString()));
    return Ran.corfu(all.toArray(String[]::new));
  }

  private Ran succeeds(String... arguments) {
    Ran ran = silver(arguments);
    assertThat(ran.status()).as(ran.err()).isEqualTo(ExitCode.OK);
    return ran;
  }

  private static void unmount(Path mount) {
    Ran ran = Ran.corfu("silver", "unmount", mount.toString());
    assertThat(ran.status()).as(ran.err()).isEqualTo(ExitCode.OK);
  }

  private Path mountPoint(String name) throws IOException {
    FuseMachine.require();
    return Files.createDirectory(directory.resolve(name));
  }

  private static long processOf(Ran mounted) {
    String json = mounted.out();
    return Long.parseLong(json.replaceAll("(?s).*\"process\":([0-9]+).*", "$1"));
  }

  @Test
  void theListHasTheFileSystemsThatWereCreatedAndClonedAndNotRemoved() {
    succeeds("create", "one");
    succeeds("clone", "one", "two");
    assertThat(succeeds("list").lines())
        .extracting(line -> line.split("\t", -1)[0])
        .containsExactly("one", "two");
    succeeds("remove", "one");
    assertThat(succeeds("list").lines())
        .extracting(line -> line.split("\t", -1)[0])
        .containsExactly("two");
  }

  @Test
  void errorsNameTheFileSystemAndTheVersion() {
    succeeds("create", "one");
    assertThat(silver("create", "one").err()).contains("one exists already");
    assertThat(silver("remove", "none").err()).contains("there is no file system none");
    Ran future = silver("clone", "one@999999", "two");
    assertThat(future.status()).isEqualTo(ExitCode.UNWRITTEN);
    assertThat(future.err()).contains("version 999999 of one does not exist yet");
    assertThat(silver("mount", "one/path", "/tmp").status()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void aCheckpointTellsTheOldestVersion() {
    succeeds("create", "one");
    succeeds("clone", "one", "two");
    String oldest =
        succeeds("checkpoint", "one", "--json")
            .out()
            .replaceAll("(?s).*\"oldest\":([0-9]+).*", "$1");
    assertThat(Long.parseLong(oldest)).isPositive();

    Ran past = silver("clone", "one@" + (Long.parseLong(oldest) - 1), "three");
    assertThat(past.status()).isEqualTo(ExitCode.TRIMMED);
    assertThat(past.err()).contains("was given up; the oldest version is " + oldest);
    assertThat(succeeds("checkpoint", "one@" + oldest).out())
        .contains("the oldest version of one is " + oldest);
    assertThat(succeeds("fsck", "two").out()).isEmpty();
    assertThat(succeeds("remove", "one", "--history").out()).contains("removed one with all");
    assertThat(silver("checkpoint", "one").err()).contains("there is no file system one");
  }

  @Test
  void aMountPointThatDoesNotExistIsAnError() throws IOException {
    FuseMachine.require();
    succeeds("create", "one");
    Ran ran = silver("mount", "one", directory.resolve("missing").toString());
    assertThat(ran.status()).isEqualTo(ExitCode.FAILED);
    assertThat(ran.err()).contains("missing does not exist; create the directory");
  }

  @Test
  void filesOutliveTheKilledProcessOfTheirMount() throws Exception {
    Path mount = mountPoint("mount");
    succeeds("create", "one");
    long process = processOf(succeeds("mount", "one", mount.toString(), "--json"));
    Files.createDirectories(mount.resolve("a/b"));
    Files.writeString(mount.resolve("a/b/file"), "hello");
    Files.write(mount.resolve("large"), new byte[300_000]);

    ProcessHandle handle = ProcessHandle.of(process).orElseThrow();
    handle.destroyForcibly();
    handle.onExit().join();
    unmount(mount);
    succeeds("mount", "one", mount.toString());
    try {
      assertThat(mount.resolve("a/b/file")).hasContent("hello");
      assertThat(mount.resolve("large")).hasSize(300_000);
    } finally {
      unmount(mount);
    }
  }

  @Test
  void theProcessOfAMountEndsWhenItIsUnmounted() throws Exception {
    Path mount = mountPoint("mount");
    succeeds("create", "one");
    long process = processOf(succeeds("mount", "one", mount.toString(), "--json"));
    var ended = ProcessHandle.of(process).orElseThrow().onExit();
    unmount(mount);
    assertThat(ended.join().isAlive()).isFalse();
  }

  @Test
  void thePastIsListedComparedTakenBackAndChecked() throws Exception {
    Path mount = mountPoint("mount");
    succeeds("create", "one");
    succeeds("mount", "one", mount.toString());
    try {
      Files.createDirectory(mount.resolve("a"));
      Files.writeString(mount.resolve("a/b"), "hi");
      String then = Files.readString(mount.resolve(".silver/version")).strip();
      Files.delete(mount.resolve("a/b"));
      Files.writeString(mount.resolve("c"), "new");
      String now = Files.readString(mount.resolve(".silver/version")).strip();

      assertThat(succeeds("versions", "one/a").out()).contains("create as a", "remove b");
      assertThat(succeeds("diff", "one", then, now).lines()).contains("- a/b", "+ c");
      succeeds("undelete", "one/a/b");
      assertThat(mount.resolve("a/b")).hasContent("hi");
      succeeds("clone", "one/a@" + then, "one/d");
      assertThat(mount.resolve("d/b")).hasContent("hi");
      assertThat(silver("undelete", "one/a/b").err()).contains("one/a/b exists");
      assertThat(succeeds("fsck", "one").out()).isEmpty();
    } finally {
      unmount(mount);
    }
  }
}
