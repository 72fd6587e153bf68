package corfu.cli.silver;

import static corfu.world.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
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

  private void assertFails(int status, String message, String... arguments) {
    Ran ran = silver(arguments);
    assertThat(ran.err()).contains(message);
    assertThat(ran.err().lines()).hasSize(1);
    assertThat(ran.status()).isEqualTo(status);
  }

  @Test
  void aCompressionTellsWhatLogUnitsDid() {
    succeeds("create", "one");

    Ran ran = silver("compress", "one", "--json");

    assertThat(ran.status()).isEqualTo(ExitCode.PARTLY_DONE); // these units are in memory
    assertThat(ran.out()).contains("\"storedBytes\":0,\"waitingBytes\":0,\"units\":[");
    assertThat(ran.err()).contains("holds its entries in memory and does not compress them");
    assertThat(silver("compress", "none").err()).contains("there is no file system none");
    assertThat(silver("compress", "one@999999").status()).isEqualTo(ExitCode.UNWRITTEN);
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
  void aMountPointThatIsUnfitIsAnErrorThatSaysWhatToDo() throws IOException {
    FuseMachine.require();
    succeeds("create", "one");
    String missing = directory.resolve("missing/deeper").toString();
    assertFails(ExitCode.FAILED, "does not exist; create the directory", "mount", "one", missing);
    Path file = Files.createFile(directory.resolve("file"));
    assertFails(ExitCode.FAILED, "is not a directory; name one", "mount", "one", file.toString());
    assertFails(
        ExitCode.FAILED,
        "is below a file that is no directory",
        "mount",
        "one",
        file.resolve("x").toString());
    assertFails(
        ExitCode.FAILED,
        "is not empty; a mount would hide its files. Name another directory",
        "mount",
        "one",
        directory.toString());
  }

  @Test
  void aMountInUseIsNeitherCoveredNorUnmounted() throws Exception {
    Path mount = mountPoint("mount");
    succeeds("create", "one");
    long process = processOf(succeeds("mount", "one", mount.toString(), "--json"));
    var ended = ProcessHandle.of(process).orElseThrow().onExit();
    assertFails(
        ExitCode.FAILED,
        "is mounted on %s already; unmount it, or name another directory".formatted(mount),
        "mount",
        "one",
        mount.toString());
    try (FileChannel open = create(mount.resolve("open"))) {
      Ran busy = Ran.corfu("silver", "unmount", mount.toString());
      assertThat(busy.status()).isEqualTo(ExitCode.FAILED);
      assertThat(busy.err()).contains("end them, or detach it");
      Ran detached = Ran.corfu("silver", "unmount", mount.toString(), "--detach");
      assertThat(detached.status()).isEqualTo(ExitCode.OK);
      assertThat(open.write(ByteBuffer.allocate(1))).isEqualTo(1);
    }
    assertThat(ended.join().isAlive()).isFalse();
    Ran nothing = Ran.corfu("silver", "unmount", mount.toString());
    assertThat(nothing.status()).isEqualTo(ExitCode.FAILED);
    assertThat(nothing.err()).contains("Nothing is mounted on " + mount);
  }

  @Test
  void aMountWithoutItsFileSystemOrItsClusterIsAnError() throws IOException {
    String mount = mountPoint("mount").toString();
    assertFails(
        ExitCode.FAILED,
        "there is no file system none; to see all: corfu silver list",
        "mount",
        "none",
        mount);
    stop();
    assertFails(
        ExitCode.UNAVAILABLE,
        "check that the cluster runs",
        "mount",
        "one",
        mount,
        "--timeout",
        "1s");
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

  /** Kills the process of a mount by SIGKILL, as a crash does, and mounts again. */
  private void killAndMountAgain(long process, FileChannel open, Path mount) {
    ProcessHandle handle = ProcessHandle.of(process).orElseThrow();
    handle.destroyForcibly();
    handle.onExit().join();
    assertThatThrownBy(open::close).hasMessageContaining("not connected");
    unmount(mount);
    succeeds("mount", "one", mount.toString());
  }

  @Test
  void aStrictMountLosesNothingThatWasAcknowledgedWhenItsProcessIsKilled() throws Exception {
    Path mount = mountPoint("mount");
    succeeds("create", "one");
    long process = processOf(succeeds("mount", "one", mount.toString(), "--json"));
    byte[] all = new byte[200_000];
    new Random(1).nextBytes(all);
    int acknowledged = 0;
    FileChannel file = create(mount.resolve("open"));
    for (; acknowledged < all.length; acknowledged += 1_000) {
      file.write(ByteBuffer.wrap(all, acknowledged, 1_000));
    }
    killAndMountAgain(process, file, mount);
    try {
      assertThat(mount.resolve("open")).hasBinaryContent(all);
    } finally {
      unmount(mount);
    }
  }

  @Test
  void aMountThatWritesBackLosesOnlyWhatWasNeitherSyncedNorClosed() throws Exception {
    Path mount = mountPoint("mount");
    succeeds("create", "one");
    long process =
        processOf(succeeds("mount", "one", mount.toString(), "--json", "--consistency", "close"));
    byte[] all = new byte[300_000];
    new Random(1).nextBytes(all);
    Files.write(mount.resolve("closed"), all);
    FileChannel file = create(mount.resolve("synced"));
    file.write(ByteBuffer.wrap(all, 0, 200_000));
    file.force(true);
    file.write(ByteBuffer.wrap(all, 200_000, 100_000));
    killAndMountAgain(process, file, mount);
    try {
      assertThat(mount.resolve("closed")).hasBinaryContent(all);
      byte[] rest = Files.readAllBytes(mount.resolve("synced"));
      assertThat(rest.length).isBetween(200_000, all.length);
      assertThat(rest).isEqualTo(Arrays.copyOf(all, rest.length));
    } finally {
      unmount(mount);
    }
  }

  private static FileChannel create(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
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
  void aQuotaIsSetShownObeyedAndRemoved() throws Exception {
    Path mount = mountPoint("mount");
    succeeds("create", "one");
    succeeds("mount", "one", mount.toString());
    try {
      Path home = Files.createDirectory(mount.resolve("home"));
      Files.write(home.resolve("a"), new byte[6_000]);
      assertThat(succeeds("quota", "one/home").out())
          .contains("one/home: 6000 bytes without a limit, 1 nodes without a limit");
      assertThat(succeeds("quota", "one/home", "--bytes", "10000").out())
          .contains("6000 of 10000 bytes, 1 nodes without a limit");
      assertThat(succeeds("quota", "one/home", "--nodes", "5", "--json").out())
          .contains("\"limitBytes\":10000", "\"limitNodes\":5", "\"bytes\":6000");
      eventually(
          () ->
              assertThatThrownBy(() -> Files.write(home.resolve("b"), new byte[4_001]))
                  .hasMessageContaining("Disk quota exceeded"));
      assertThat(succeeds("quota", "one/home", "--none").out()).contains("bytes without a limit");
      assertThat(silver("quota", "one/home/a").err()).contains("one/home/a is no directory");
      assertThat(silver("quota", "one", "--bytes", "0").status()).isEqualTo(ExitCode.USAGE);
    } finally {
      unmount(mount);
    }
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
      Files.writeString(mount.resolve("a/other"), "bye");
      Files.move(
          mount.resolve("a/other"), mount.resolve("a/b"), StandardCopyOption.REPLACE_EXISTING);
      succeeds("undelete", "one/a/b", "--as", "one/a/replaced");
      assertThat(mount.resolve("a/replaced")).hasContent("hi");
      assertThat(mount.resolve("a/b")).hasContent("bye");
      assertThat(succeeds("fsck", "one").out()).isEmpty();
    } finally {
      unmount(mount);
    }
  }

  @Test
  void aVersionIsShippedToAFileAndToAnotherClusterAndBack() throws IOException {
    succeeds("create", "one");
    Path archive = directory.resolve("one.tar.gz");

    assertThat(succeeds("ship", "one", archive.toString()).out()).contains("0 names");
    assertThat(silver("ship", "one", archive.toString()).err()).contains("exists already");
    assertThat(succeeds("receive", archive.toString(), "back", "--json").out())
        .contains("\"name\":\"back\"");
    String server = nodes.getFirst().endpoint().toString();
    succeeds("ship", "one", "--to-servers", server, "--as", "other");
    assertThat(succeeds("list").out()).contains("back", "other").doesNotContain(".part");
    assertThat(silver("receive", archive.toString(), "back").err()).contains("exists already");
  }

  @Test
  void anArchiveThatIsNoneMakesNoFileSystem() throws IOException {
    Path file = Files.writeString(directory.resolve("text"), "no archive");

    Ran received = silver("receive", file.toString(), "new");

    assertThat(received.status()).isEqualTo(ExitCode.FAILED);
    assertThat(received.err()).contains("nothing was received");
    assertThat(succeeds("list").out()).doesNotContain("new");
    assertThat(silver("receive", directory.resolve("none").toString(), "new").err())
        .contains("there is no file");
    assertThat(silver("ship", "one").status()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void everyCheckOfTheDemoPasses() {
    FuseMachine.require();

    Ran demo = Ran.corfu("silver", "demo");

    assertThat(demo.status()).as(demo.err()).isEqualTo(ExitCode.OK);
    assertThat(demo.out()).contains("still has everything", "all of it held");
  }
}
