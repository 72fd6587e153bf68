package corfu.silver.check;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.fuse.Result;
import corfu.fuse.linux.FileMode;
import corfu.fuse.protocol.FileName;
import corfu.node.EmbeddedCluster;
import corfu.protocol.Address;
import corfu.runtime.Corfu;
import corfu.silver.Caller;
import corfu.silver.NewNode;
import corfu.silver.NodeChange;
import corfu.silver.NodeId;
import corfu.silver.Silver;
import corfu.silver.SilverFileSystem;
import corfu.silver.check.Difference.Kind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Histories, differences and checks of a file system. */
class TreeCheckTest {

  private static final NewNode FILE = NewNode.of(FileMode.REGULAR | 0644, 1, 2);
  private static final NewNode DIRECTORY = NewNode.of(FileMode.DIRECTORY | 0755, 1, 2);

  private EmbeddedCluster cluster;
  private Corfu corfu;
  private Silver silver;
  private SilverFileSystem files;

  @BeforeEach
  void start() {
    cluster = EmbeddedCluster.builder().start();
    corfu = cluster.connect();
    silver = Silver.over(corfu);
    files = valueOf(silver.create("files", caller()));
  }

  @AfterEach
  void stop() {
    corfu.close();
    cluster.close();
  }

  private Caller caller() {
    return silver.caller(7, 2);
  }

  private static <T> T valueOf(Result<T> result) {
    assertThat(result).isInstanceOf(Result.Success.class);
    return ((Result.Success<T>) result).value();
  }

  private NodeId create(NodeId directory, String name, NewNode state) {
    return valueOf(files.create(directory, FileName.of(name), state, caller()));
  }

  private void write(NodeId node, byte[] bytes) {
    assertThat(files.write(node, 0, ByteBuffer.wrap(bytes), caller())).isEqualTo(Result.done());
  }

  private List<Difference> diff(Address from, Address to) {
    List<Difference> found = new ArrayList<>();
    TreeDiff.run(files, from, to, found::add);
    return found;
  }

  private List<Finding> check() {
    List<Finding> found = new ArrayList<>();
    assertThat(TreeCheck.run(files.at(silver.version()), found::add)).isPositive();
    return found;
  }

  @Test
  void theHistoryOfAFileHasItsChangesInOrder() {
    NodeId file = create(files.root(), "file", FILE);
    write(file, "small".getBytes(UTF_8));
    write(file, new byte[10_000]);
    write(file, new byte[10_000]);
    List<NodeChange> changes = new ArrayList<>();
    files.history(file, new Address(0), changes::add);

    assertThat(changes)
        .extracting(NodeChange::description)
        .startsWith("create as file", "write 5 bytes at 0")
        .endsWith("write data");
    assertThat(changes).extracting(NodeChange::uid).containsOnly(7);
    assertThat(changes)
        .extracting(change -> change.address().value())
        .isSorted()
        .doesNotHaveDuplicates();
  }

  @Test
  void aDifferenceNamesThePathsThatWereAddedRemovedAndChanged() {
    NodeId directory = create(files.root(), "a", DIRECTORY);
    NodeId changed = create(directory, "changed", FILE);
    NodeId unused = create(directory, "removed", FILE);
    Address before = silver.version();
    write(changed, "x".getBytes(UTF_8));
    assertThat(files.unlink(directory, FileName.of("removed"), caller())).isEqualTo(Result.done());
    NodeId added = create(files.root(), "b", DIRECTORY);
    NodeId below = create(added, "below", FILE);
    Address after = silver.version();

    assertThat(unused).isNotEqualTo(below);
    assertThat(diff(before, after))
        .containsExactlyInAnyOrder(
            new Difference(Kind.CHANGED, "a"),
            new Difference(Kind.CHANGED, "a/changed"),
            new Difference(Kind.REMOVED, "a/removed"),
            new Difference(Kind.ADDED, "b"),
            new Difference(Kind.ADDED, "b/below"));
    assertThat(diff(after, after)).isEmpty();
  }

  @Test
  void aCheckFindsNothingInASoundFileSystem() {
    NodeId directory = create(files.root(), "a", DIRECTORY);
    NodeId file = create(directory, "file", FILE);
    write(file, new byte[10_000]);
    assertThat(files.link(file, files.root(), FileName.of("link"), caller()))
        .isEqualTo(Result.done());

    assertThat(check()).isEmpty();
  }

  @Test
  void aCheckFindsThatACloneHasOnlyOneOfTwoNames() {
    NodeId directory = create(files.root(), "a", DIRECTORY);
    NodeId file = create(directory, "file", FILE);
    assertThat(files.link(file, files.root(), FileName.of("link"), caller()))
        .isEqualTo(Result.done());
    NodeId clone =
        valueOf(files.cloneFrom(files, directory, files.root(), FileName.of("b"), caller()));

    assertThat(clone).isNotEqualTo(directory);
    assertThat(check())
        .containsExactly(new Finding("b/file", "has a link count of 2, but 1 names"));
  }

  @Test
  void aRemovedPathIsFoundInTheNewestVersionThatHasIt() {
    NodeId directory = create(files.root(), "a", DIRECTORY);
    NodeId file = create(directory, "file", FILE);
    write(file, "text".getBytes(UTF_8));
    assertThat(files.unlink(directory, FileName.of("file"), caller())).isEqualTo(Result.done());
    assertThat(files.removeDirectory(files.root(), FileName.of("a"), caller()))
        .isEqualTo(Result.done());

    RemovedPath found =
        RemovedPath.find(files, List.of(FileName.of("a"), FileName.of("file"))).orElseThrow();
    assertThat(UTF_8.decode(valueOf(found.files().read(found.node(), 0, 10))).toString())
        .isEqualTo("text");
    assertThat(RemovedPath.find(files, List.of(FileName.of("never")))).isEmpty();
  }

  @Test
  void aPathThatARenameOrAnExchangeReplacedIsFound() {
    FileName path = FileName.of("file");
    NodeId first = create(files.root(), "file", FILE);
    NodeId second = create(files.root(), "second", FILE);
    NodeId third = create(files.root(), "third", FILE);
    assertThat(RemovedPath.findReplaced(files, List.of(path))).isEmpty();

    assertThat(
            files.rename(files.root(), FileName.of("second"), files.root(), path, false, caller()))
        .isEqualTo(Result.done());
    assertThat(RemovedPath.findReplaced(files, List.of(path)).orElseThrow().node())
        .isEqualTo(first);
    assertThat(files.exchange(files.root(), path, files.root(), FileName.of("third"), caller()))
        .isEqualTo(Result.done());
    assertThat(RemovedPath.findReplaced(files, List.of(path)).orElseThrow().node())
        .isEqualTo(second);
    assertThat(RemovedPath.findReplaced(files, List.of(FileName.of("third"))).orElseThrow().node())
        .isEqualTo(third);
  }

  @Test
  void aDifferenceOfALargeTreeReplaysOnlyWhatHasChanged() {
    List<NodeId> below = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      NodeId directory = create(files.root(), "d" + i, DIRECTORY);
      for (int j = 0; j < 20; j++) {
        below.add(create(directory, "f" + j, FILE));
      }
    }
    NodeId clone =
        valueOf(files.cloneFrom(files, files.root(), files.root(), FileName.of("clone"), caller()));
    Address before = silver.version();
    write(below.get(25), new byte[10_000]);
    NodeId cloned = valueOf(files.lookUp(clone, FileName.of("d2"))).node();
    write(valueOf(files.lookUp(cloned, FileName.of("f3"))).node(), new byte[10]);
    Address after = silver.version();
    List<Difference> expected =
        List.of(new Difference(Kind.CHANGED, "d1/f5"), new Difference(Kind.CHANGED, "clone/d2/f3"));
    assertThat(diff(before, after)).containsExactlyInAnyOrderElementsOf(expected);

    try (Corfu fresh = cluster.connect()) {
      Silver other = Silver.over(fresh);
      SilverFileSystem elsewhere = valueOf(other.open("files"));
      long questions = other.statistics().nodeMisses();
      List<Difference> found = new ArrayList<>();
      TreeDiff.run(elsewhere, before, after, found::add);
      assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
      assertThat(other.statistics().nodeMisses() - questions).isLessThan(20); // 120 files
    }
  }

  @Test
  void theProgressCountsEachName() {
    Address empty = silver.version();
    create(files.root(), "one", FILE);
    create(files.root(), "two", FILE);
    List<Long> checked = new ArrayList<>();
    List<Long> compared = new ArrayList<>();

    TreeCheck.run(files.at(silver.version()), finding -> {}, checked::add);
    TreeDiff.run(files, empty, silver.version(), difference -> {}, compared::add);

    assertThat(checked).containsExactly(2L, 3L); // the root is the first
    assertThat(compared).containsExactly(1L, 2L);
  }
}
