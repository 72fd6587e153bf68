package corfu.silver;

import static corfu.world.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.linux.FileMode;
import corfu.fuse.protocol.FileName;
import corfu.node.EmbeddedCluster;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import corfu.runtime.LogEntry;
import corfu.runtime.stream.Streams;
import corfu.silver.check.Finding;
import corfu.silver.check.TreeCheck;
import corfu.silver.internal.inode.NodeState;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** File systems that give up old versions, seen by clients that know them and by new ones. */
class CheckpointTest {

  private static final NewNode FILE = NewNode.of(FileMode.REGULAR | 0644, 1, 2);
  private static final NewNode DIRECTORY = NewNode.of(FileMode.DIRECTORY | 0755, 1, 2);
  private static final int LARGE = 10_000;

  private EmbeddedCluster cluster;
  private Corfu corfu;
  private Silver silver;
  private SilverFileSystem files;
  private NodeId root;

  @BeforeEach
  void start() {
    cluster = EmbeddedCluster.builder().start();
    corfu = cluster.connect();
    silver = Silver.over(corfu);
    files = valueOf(silver.create("files", caller()));
    root = files.root();
  }

  @AfterEach
  void stop() {
    corfu.close();
    cluster.close();
  }

  private Caller caller() {
    return silver.caller(1, 2);
  }

  private static <T> T valueOf(Result<T> result) {
    assertThat(result).isInstanceOf(Result.Success.class);
    return ((Result.Success<T>) result).value();
  }

  private static FileName name(String text) {
    return FileName.of(text);
  }

  private NodeId directory(NodeId parent, String name) {
    return valueOf(files.create(parent, name(name), DIRECTORY, caller()));
  }

  private NodeId file(NodeId directory, String name, int size, char filling) {
    NodeId node = valueOf(files.create(directory, name(name), FILE, caller()));
    fill(node, size, filling);
    return node;
  }

  private void fill(NodeId node, int size, char filling) {
    ByteBuffer bytes = ByteBuffer.wrap(("" + filling).repeat(size).getBytes(UTF_8));
    assertThat(files.write(node, 0, bytes, caller())).isEqualTo(Result.done());
  }

  private void unlink(NodeId directory, String name) {
    assertThat(files.unlink(directory, name(name), caller())).isEqualTo(Result.done());
  }

  private CheckpointResult checkpoint(Optional<Address> version) {
    return valueOf(silver.checkpoint("files", version, caller(), progress -> {}));
  }

  /** Returns the file system as a client sees it that knows nothing yet. */
  private SilverFileSystem anew(String name) {
    return valueOf(Silver.over(corfu).open(name));
  }

  private static NodeId find(SilverFileSystem in, String... path) {
    NodeId node = in.root();
    for (String name : path) {
      node = valueOf(in.lookUp(node, name(name))).node();
    }
    return node;
  }

  private static String content(SilverFileSystem in, String... path) {
    String text = UTF_8.decode(valueOf(in.read(find(in, path), 0, 1 << 20))).toString();
    return text.isEmpty() ? "" : text.charAt(0) + "*" + text.length();
  }

  private static List<String> names(SilverFileSystem in, NodeId directory) {
    return valueOf(in.list(directory)).all().stream()
        .map(listed -> listed.name().toString())
        .sorted()
        .toList();
  }

  private void assertSound(SilverFileSystem in) {
    List<Finding> findings = new ArrayList<>();
    long nodes = TreeCheck.run(in.at(silver.version()), findings::add);
    assertThat(nodes).isPositive();
    assertThat(findings).isEmpty();
  }

  private long trimmedEntries() {
    return corfu.log().read(Address.ZERO, corfu.log().tail()).stream()
        .filter(LogEntry.Trimmed.class::isInstance)
        .count();
  }

  @Test
  void theNewestVersionStaysAndOlderOnesAreGivenUp() {
    NodeId directory = directory(root, "a");
    NodeId file = file(directory, "small", 10, 'x');
    file(directory, "large", LARGE, 'x');
    Address before = silver.version();
    fill(file, 20, 'y');
    fill(find(files, "a", "large"), LARGE, 'y');
    Address kept = silver.version();
    fill(file, 30, 'z');

    CheckpointResult result = checkpoint(Optional.of(kept));
    assertThat(result.oldest()).isEqualTo(kept.value());
    assertThat(result.entries()).isEqualTo(1);
    assertThat(result.bytes()).isGreaterThan(LARGE);
    assertThat(result.removedNodes()).isZero();
    for (SilverFileSystem each : List.of(files, anew("files"))) {
      assertThat(content(each, "a", "small")).isEqualTo("z*30");
      assertThat(content(each, "a", "large")).isEqualTo("y*" + LARGE);
      assertThat(content(each.at(kept), "a", "small")).isEqualTo("y*20");
      assertThatThrownBy(() -> each.at(before))
          .isInstanceOf(VersionForgottenException.class)
          .hasMessageContaining("version " + before)
          .hasMessageContaining("the oldest version is " + kept);
    }
    assertSound(anew("files"));
    assertThat(trimmedEntries()).isGreaterThan(4);
  }

  @Test
  void everythingOfARemovedTreeIsFreed() {
    NodeId directory = directory(root, "a");
    NodeId below = directory(directory, "b");
    file(below, "large", LARGE, 'x');
    file(below, "small", 10, 'x');
    unlink(below, "large");
    unlink(below, "small");
    assertThat(files.removeDirectory(directory, name("b"), caller())).isEqualTo(Result.done());
    assertThat(files.removeDirectory(root, name("a"), caller())).isEqualTo(Result.done());
    Address end = silver.version();

    CheckpointResult result = checkpoint(Optional.empty());
    assertThat(result.removedNodes()).isEqualTo(4);
    assertThat(result.entries()).isEqualTo(1);
    assertThat(names(anew("files"), root)).isEmpty();
    // the creation of the file system stays, and membership; all else is in streams of the tree
    List<LogEntry> left =
        corfu.log().read(Address.ZERO, end).stream()
            .filter(LogEntry.Data.class::isInstance)
            .toList();
    assertThat(left).hasSizeLessThan(6);
    assertThat(checkpoint(Optional.empty()).removedNodes()).isZero();
  }

  @Test
  void aCloneKeepsWhatItSharesWithItsSource() {
    NodeId directory = directory(root, "a");
    NodeId file = file(directory, "large", LARGE, 'x');
    NodeId small = file(directory, "small", 10, 'x');
    var copy = valueOf(silver.clone("files", Optional.empty(), "copy", caller()));
    fill(file, LARGE, 'y');
    fill(small, 10, 'y');
    unlink(directory, "small");
    var second = valueOf(silver.clone("copy", Optional.empty(), "second", caller()));

    assertThat(checkpoint(Optional.empty()).entries()).isZero();
    for (String name : List.of("copy", "second")) {
      assertThat(content(anew(name), "a", "large")).isEqualTo("x*" + LARGE);
      assertThat(content(anew(name), "a", "small")).isEqualTo("x*10");
      assertSound(anew(name));
    }
    assertThat(content(anew("files"), "a", "large")).isEqualTo("y*" + LARGE);

    assertThat(copy.root()).isNotEqualTo(second.root());
    assertThat(valueOf(silver.removeWithHistory("copy", caller(), progress -> {})).entries())
        .isZero(); // the second clone needs the bytes still
    assertThat(content(anew("second"), "a", "large")).isEqualTo("x*" + LARGE);
    assertSound(anew("second"));
    assertThat(valueOf(silver.removeWithHistory("second", caller(), progress -> {})).nodes())
        .isEqualTo(4);
    assertThat(content(anew("files"), "a", "large")).isEqualTo("y*" + LARGE);
    assertThat(silver.list()).containsExactly("files");
  }

  @Test
  void copiedBytesStayAsLongAsACopyHasThem() {
    NodeId source = file(root, "source", LARGE, 'x');
    NodeId target = file(root, "target", LARGE, 'y');
    assertThat(valueOf(files.copyRange(files, source, 0, target, 0, LARGE, caller())))
        .isEqualTo(LARGE);
    unlink(root, "source");

    assertThat(checkpoint(Optional.empty()).entries()).isEqualTo(2); // y, and the copy's entry
    assertThat(content(anew("files"), "target")).isEqualTo("x*" + LARGE);
    fill(target, LARGE, 'z');
    long before = trimmedEntries();
    assertThat(checkpoint(Optional.empty()).entries()).isZero(); // the source's entry is no own one
    assertThat(trimmedEntries()).isGreaterThan(before);
    assertThat(content(anew("files"), "target")).isEqualTo("z*" + LARGE);
  }

  @Test
  void aStaleClientCannotReferToWhatWasGivenUp() {
    Silver stale = Silver.over(corfu);
    SilverFileSystem its = valueOf(stale.open("files"));
    NodeId source = file(root, "source", LARGE, 'x');
    NodeId target = file(root, "target", LARGE, 'y');
    assertThat(content(its, "source")).isEqualTo("x*" + LARGE);
    assertThat(content(its, "target")).isEqualTo("y*" + LARGE);
    SilverFileSystem past = its.at(stale.version());
    fill(source, LARGE, 'z');
    assertThat(checkpoint(Optional.empty()).entries()).isEqualTo(1);

    assertThatThrownBy(() -> its.copyRange(past, source, 0, target, 0, LARGE, caller()))
        .isInstanceOf(VersionForgottenException.class);
    assertThatThrownBy(() -> its.cloneFrom(past, source, root, name("clone"), caller()))
        .isInstanceOf(VersionForgottenException.class);
    assertThat(valueOf(its.copyRange(its, source, 0, target, 0, LARGE, caller()))).isEqualTo(LARGE);
    assertThat(content(anew("files"), "target")).isEqualTo("z*" + LARGE);
  }

  @Test
  void nothingRefersToAFileWithoutAName() {
    NodeId source = file(root, "source", LARGE, 'x');
    NodeId target = file(root, "target", LARGE, 'y');
    Address named = silver.version();
    unlink(root, "source");

    assertThat(files.copyRange(files, source, 0, target, 0, LARGE, caller()))
        .isEqualTo(Result.failed(Errno.EOPNOTSUPP));
    assertThat(files.copyRange(files, target, 0, source, 0, LARGE, caller()))
        .isEqualTo(Result.failed(Errno.EOPNOTSUPP));
    assertThat(files.link(source, root, name("again"), caller()))
        .isEqualTo(Result.failed(Errno.ENOENT));
    assertThat(files.cloneFrom(files, source, root, name("clone"), caller()))
        .isEqualTo(Result.failed(Errno.ENOENT));
    assertThat(valueOf(files.copyRange(files.at(named), source, 0, target, 0, LARGE, caller())))
        .isEqualTo(LARGE); // it had a name then
    NodeId temporary = valueOf(files.makeTemporary(FILE, caller()));
    assertThat(files.link(temporary, root, name("named"), caller())).isEqualTo(Result.done());
  }

  @Test
  void aRunThatEndsAnywhereIsFinishedByTheNext() {
    NodeId directory = directory(root, "a");
    for (int i = 0; i < 3; i++) {
      NodeId below = directory(directory, "d" + i);
      NodeId file = file(below, "large", LARGE, 'x');
      file(below, "gone", LARGE, 'x');
      valueOf(silver.clone("files", Optional.empty(), "clone" + i, caller()));
      fill(file, LARGE, 'y');
      unlink(below, "gone");
    }
    boolean isFinished = false;
    for (int killedAt = 0; !isFinished; killedAt++) {
      var limited = new LimitedClient(corfu, killedAt);
      limited.checkpoint();
      isFinished = !limited.isKilled();
      for (int i = 0; i < 3; i++) {
        assertThat(content(anew("files"), "a", "d" + i, "large")).isEqualTo("y*" + LARGE);
        assertThat(content(anew("clone" + i), "a", "d" + i, "gone")).isEqualTo("x*" + LARGE);
      }
    }
    assertSound(anew("files"));
    assertThat(checkpoint(Optional.empty()).removedNodes()).isZero();
  }

  /** A client that ends at one of its reports of progress. */
  private static final class LimitedClient {

    private final Silver silver;
    private final int most;
    private int reports;

    LimitedClient(Corfu corfu, int most) {
      this.silver = Silver.over(corfu);
      this.most = most;
    }

    void checkpoint() {
      try {
        var unused =
            silver.checkpoint(
                "files",
                Optional.empty(),
                silver.caller(1, 2),
                progress -> {
                  if (reports++ == most) {
                    throw new IllegalStateException("killed");
                  }
                });
      } catch (IllegalStateException killed) {
        assertThat(killed).hasMessage("killed");
      }
    }

    boolean isKilled() {
      return reports > most;
    }
  }

  @Test
  void theHistoryOfARemovedFileSystemIsGivenUpLater() {
    file(root, "large", LARGE, 'x');
    Address before = silver.version();
    assertThat(silver.remove("files", caller())).isEqualTo(Result.done());

    assertThat(valueOf(silver.removeWithHistory("files", caller(), progress -> {})).entries())
        .isEqualTo(1);
    assertThat(silver.removeWithHistory("none", caller(), progress -> {}))
        .isEqualTo(Result.failed(Errno.ENOENT));
    assertThatThrownBy(() -> Silver.over(corfu).openAt("files", before))
        .isInstanceOf(VersionForgottenException.class)
        .hasMessageContaining("no version is left");
    assertThatThrownBy(() -> silver.clone("files", Optional.of(before), "new", caller()))
        .isInstanceOf(VersionForgottenException.class);
  }

  @Test
  void aCheckpointThatASlowClientWritesLateDoesNoHarm() {
    file(root, "a", LARGE, 'x');
    NodeState old = silver.nodes().stateAt(root, silver.version().value());
    file(root, "b", 10, 'y');
    assertThat(checkpoint(Optional.empty()).oldest()).isPositive();
    silver.nodes().checkpoints().write(root, old, false);

    assertThat(names(anew("files"), root)).containsExactly("a", "b");
    assertThat(names(anew("files").at(silver.version()), root)).containsExactly("a", "b");
    file(root, "c", 10, 'z');
    assertThat(checkpoint(Optional.empty()).oldest()).isPositive();
    assertThat(names(anew("files"), root)).containsExactly("a", "b", "c");
  }

  @Test
  void theHistoryOfAFileBeginsAtTheOldestVersion() {
    NodeId file = file(root, "large", LARGE, 'x');
    fill(file, LARGE, 'y');
    assertThat(checkpoint(Optional.empty()).oldest()).isPositive();
    fill(file, LARGE, 'z');

    List<String> changes = new ArrayList<>();
    anew("files")
        .history(
            file,
            Address.ZERO,
            change -> {
              changes.add(change.description());
              return true;
            });
    assertThat(changes).containsExactly("write data");
  }

  @Test
  void aLongDirectoryIsReadFromItsCheckpoint() {
    for (int i = 0; i < 600; i++) {
      file(root, "f" + i, 1, 'x');
    }
    assertThat(names(anew("files"), root)).hasSize(600); // writes a checkpoint behind the call
    eventually(() -> assertThat(streamEnd(root.checkpoints())).isPositive());
    assertThat(names(anew("files"), root)).hasSize(600);
  }

  private long streamEnd(StreamId stream) {
    return Streams.over(corfu).open(stream).tail().value();
  }
}
