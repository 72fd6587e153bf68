package corfu.silver.check;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.fuse.Result;
import corfu.fuse.linux.FileMode;
import corfu.fuse.protocol.FileName;
import corfu.fuse.protocol.Timestamp;
import corfu.node.EmbeddedCluster;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import corfu.runtime.stream.Streams;
import corfu.silver.Caller;
import corfu.silver.NewNode;
import corfu.silver.NodeId;
import corfu.silver.Silver;
import corfu.silver.SilverFileSystem;
import corfu.silver.internal.record.Child;
import corfu.silver.internal.record.SilverCodec;
import corfu.silver.internal.record.SilverRecord;
import corfu.silver.internal.record.Stamp;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each kind of damage, forged by an entry that only some of its streams have. */
class ForgedDamageTest {

  private static final NewNode FILE = NewNode.of(FileMode.REGULAR | 0644, 1, 2);
  private static final NewNode DIRECTORY = NewNode.of(FileMode.DIRECTORY | 0755, 1, 2);
  private static final Stamp STAMP = new Stamp(new Timestamp(1, 2), 3);
  private static final Caller CALLER = new Caller(1, 2, new Timestamp(1, 2));

  private EmbeddedCluster cluster;
  private Corfu corfu;
  private Silver silver;
  private SilverFileSystem files;
  private NodeId a;
  private NodeId sub;
  private NodeId file;

  /** The file system has {@code a/sub} and {@code a/file}. */
  @BeforeEach
  void start() {
    cluster = EmbeddedCluster.builder().start();
    corfu = cluster.connect();
    silver = Silver.over(corfu);
    files = valueOf(silver.create("files", CALLER));
    a = valueOf(files.create(files.root(), name("a"), DIRECTORY, CALLER));
    sub = valueOf(files.create(a, name("sub"), DIRECTORY, CALLER));
    file = valueOf(files.create(a, name("file"), FILE, CALLER));
  }

  @AfterEach
  void stop() {
    corfu.close();
    cluster.close();
  }

  private static FileName name(String text) {
    return FileName.of(text);
  }

  private static <T> T valueOf(Result<T> result) {
    assertThat(result).isInstanceOf(Result.Success.class);
    return ((Result.Success<T>) result).value();
  }

  private void forge(StreamId stream, ByteBuffer entry) {
    var unused = Streams.over(corfu).append(List.of(stream), entry);
  }

  private void forge(NodeId node, SilverRecord record) {
    forge(node.stream(), SilverCodec.encode(STAMP, record));
  }

  private List<Finding> check() {
    List<Finding> found = new ArrayList<>();
    // Another client, whose memory does not hide what was forged.
    try (Corfu other = cluster.connect()) {
      Silver elsewhere = Silver.over(other);
      SilverFileSystem newest = valueOf(elsewhere.open("files"));
      assertThat(TreeCheck.run(newest.at(elsewhere.version()), found::add)).isPositive();
    }
    return found;
  }

  private void assertFinds(String path, String problem) {
    assertThat(check()).containsExactly(new Finding(path, problem));
  }

  @Test
  void nothingIsWrongBeforeTheForgery() {
    assertThat(check()).isEmpty();
  }

  @Test
  void aNameWithoutANode() {
    StreamId lost = new StreamId(7, 8);
    forge(a, new SilverRecord.Create(a, name("lost"), lost, FILE));
    assertFinds("a/lost", "has no stream: %s has no entries".formatted(NodeId.of(lost)));
  }

  @Test
  void aLinkCountWithoutTheName() {
    forge(file, new SilverRecord.Link(a, name("gone"), new Child(file, FileMode.REGULAR)));
    assertFinds("a/file", "has a link count of 2, but 1 names");
  }

  @Test
  void aNameWithoutTheLinkCount() {
    forge(a, new SilverRecord.Link(a, name("more"), new Child(file, FileMode.REGULAR)));
    assertThat(check())
        .singleElement()
        .extracting(Finding::problem)
        .isEqualTo("has a link count of 1, but several names");
  }

  @Test
  void aFileThatWasRemovedWithoutItsName() {
    forge(file, new SilverRecord.Unlink(a, name("file"), file, FileMode.REGULAR));
    assertFinds("a/file", "has a link count of 0, but 1 names");
  }

  @Test
  void aDirectoryThatWasRemovedWithoutItsName() {
    forge(sub, new SilverRecord.Unlink(a, name("sub"), sub, FileMode.DIRECTORY));
    assertFinds("a/sub", "has a link count of 0, but 0 subdirectories");
  }

  @Test
  void aDirectoryThatWasMovedWithoutItsName() {
    forge(
        sub,
        new SilverRecord.Rename(
            a,
            name("sub"),
            files.root(),
            name("moved"),
            new Child(sub, FileMode.DIRECTORY),
            Optional.empty()));
    assertFinds("a/sub", "has the parent %s, but is a name of %s".formatted(files.root(), a));
  }

  @Test
  void aDirectoryWithTwoNames() {
    forge(a, new SilverRecord.Link(a, name("other"), new Child(sub, FileMode.DIRECTORY)));
    assertThat(check())
        .singleElement()
        .extracting(Finding::problem)
        .isEqualTo("is a directory that has another name, too");
  }

  @Test
  void aDirectoryBelowItself() {
    forge(sub, new SilverRecord.Link(sub, name("loop"), new Child(a, FileMode.DIRECTORY)));
    assertFinds("a/sub/loop", "is a directory that has another name, too");
  }

  @Test
  void aNameWithAnotherTypeThanItsNode() {
    forge(a, new SilverRecord.Link(a, name("file"), new Child(file, FileMode.DIRECTORY)));
    assertFinds(
        "a/file",
        "has type %o, but its directory says %o".formatted(FileMode.REGULAR, FileMode.DIRECTORY));
  }

  @Test
  void aForeignEntryInAFileADirectoryAndTheDataOfALargeFile() {
    NodeId large = valueOf(files.create(files.root(), name("large"), FILE, CALLER));
    assertThat(files.write(large, 0, ByteBuffer.allocate(10_000), CALLER)).isEqualTo(Result.done());
    for (StreamId stream : List.of(file.stream(), sub.stream(), large.data())) {
      forge(stream, ByteBuffer.wrap("junk".getBytes(UTF_8)));
    }
    assertThat(check())
        .allSatisfy(found -> assertThat(found.problem()).startsWith("cannot be read: "))
        .extracting(Finding::path)
        .containsExactlyInAnyOrder("a/file", "a/sub", "large");
  }

  @Test
  void anEntryThatDoesNotFitToItsNode() {
    forge(sub, new SilverRecord.WriteInline(0, new byte[] {1}));
    assertThat(check())
        .singleElement()
        .satisfies(found -> assertThat(found.path()).isEqualTo("a/sub"))
        .satisfies(found -> assertThat(found.problem()).contains(sub.stream().toString()));
  }
}
