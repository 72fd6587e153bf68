package corfu.silver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.linux.FileMode;
import corfu.fuse.protocol.FileName;
import corfu.node.EmbeddedCluster;
import corfu.protocol.Address;
import corfu.runtime.Corfu;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The operations of file systems, seen by two clients. */
class SilverFileSystemTest {

  private static final NewNode FILE = NewNode.of(FileMode.REGULAR | 0644, 1, 2);
  private static final NewNode DIRECTORY = NewNode.of(FileMode.DIRECTORY | 0755, 1, 2);

  private EmbeddedCluster cluster;
  private Corfu first;
  private Corfu second;
  private Silver silver;
  private SilverFileSystem files;
  private SilverFileSystem other;
  private NodeId root;

  @BeforeEach
  void start() {
    cluster = EmbeddedCluster.builder().start();
    first = cluster.connect();
    second = cluster.connect();
    silver = Silver.over(first);
    files = valueOf(silver.create("files", caller()));
    other = valueOf(Silver.over(second).open("files"));
    root = files.root();
  }

  @AfterEach
  void stop() {
    first.close();
    second.close();
    cluster.close();
  }

  private Caller caller() {
    return silver.caller(1, 2);
  }

  private static <T> T valueOf(Result<T> result) {
    assertThat(result).isInstanceOf(Result.Success.class);
    return ((Result.Success<T>) result).value();
  }

  private static void assertFails(Result<?> result, Errno errno) {
    assertThat(result).isEqualTo(Result.failed(errno));
  }

  private static FileName name(String text) {
    return FileName.of(text);
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  private static ByteBuffer random(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  private NodeId file(NodeId directory, String name, String content) {
    NodeId node = valueOf(files.create(directory, name(name), FILE, caller()));
    assertThat(files.write(node, 0, bytes(content), caller())).isEqualTo(Result.done());
    return node;
  }

  private NodeId directory(NodeId parent, String name) {
    return valueOf(files.create(parent, name(name), DIRECTORY, caller()));
  }

  private static String text(SilverFileSystem in, NodeId node) {
    return UTF_8.decode(valueOf(in.read(node, 0, 1 << 20))).toString();
  }

  private static NodeId find(SilverFileSystem in, NodeId from, String... path) {
    NodeId node = from;
    for (String name : path) {
      node = valueOf(in.lookUp(node, name(name))).node();
    }
    return node;
  }

  private static List<String> names(SilverFileSystem in, NodeId directory) {
    return valueOf(in.list(directory)).all().stream()
        .map(listed -> listed.name().toString())
        .sorted()
        .toList();
  }

  @Test
  void aLoneClientAnswersFromMemoryForTheFilesThatItHasMade() {
    assertThat(files.lookForOthers()).isPositive();
    NodeId node = file(root, "file", "some");
    assertThat(files.write(node, 4, bytes(" more"), caller())).isEqualTo(Result.done());
    long questions = silver.statistics().nodeMisses();

    assertThat(valueOf(files.status(node)).size()).isEqualTo(9);
    assertThat(text(files, node)).isEqualTo("some more");
    assertThat(silver.statistics().nodeMisses()).isEqualTo(questions);
    assertThat(text(other, node)).isEqualTo("some more");
  }

  @Test
  void anotherClientSeesAChangeThatHasReturned() {
    NodeId node = file(root, "a", "hi");

    assertThat(text(other, find(other, root, "a"))).isEqualTo("hi");
    assertThat(other.write(node, 0, bytes("bye"), caller())).isEqualTo(Result.done());
    assertThat(text(files, node)).isEqualTo("bye");
    assertThat(files.unlink(root, name("a"), caller())).isEqualTo(Result.done());
    assertFails(other.lookUp(root, name("a")), Errno.ENOENT);
    assertThat(text(other, node)).isEqualTo("bye"); // an open file stays usable
    assertThat(valueOf(other.status(node)).links()).isZero();
  }

  @Test
  void oneOfTwoCreatorsOfANameWins() {
    file(root, "a", "mine");

    assertFails(other.create(root, name("a"), FILE, caller()), Errno.EEXIST);
    assertFails(files.create(root, name("a"), DIRECTORY, caller()), Errno.EEXIST);
  }

  @Test
  void largeFilesMoveToTheirDataStream() {
    NodeId node = file(root, "a", "small");
    ByteBuffer large = random(100_000);

    assertThat(files.write(node, 3, large, caller())).isEqualTo(Result.done());
    assertThat(other.append(node, bytes("end"), caller())).isEqualTo(Result.done());

    assertThat(valueOf(files.status(node)).size()).isEqualTo(100_006);
    assertThat(valueOf(other.read(node, 0, 3))).isEqualTo(bytes("sma"));
    assertThat(valueOf(files.read(node, 3, 100_000))).isEqualTo(large);
    assertThat(valueOf(files.read(node, 100_003, 10))).isEqualTo(bytes("end"));
  }

  @Test
  void aGapReadsAsZeros() {
    NodeId empty = valueOf(files.create(root, name("empty"), FILE, caller()));
    NodeId small = file(root, "small", "x");

    for (NodeId node : List.of(empty, small)) {
      assertThat(files.write(node, 1 << 20, bytes("y"), caller())).isEqualTo(Result.done());
      assertThat(valueOf(other.status(node)).size()).isEqualTo((1 << 20) + 1);
      assertThat(valueOf(other.read(node, 1, 2))).isEqualTo(ByteBuffer.allocate(2));
      assertThat(valueOf(other.nextData(node, 10))).isEqualTo(1 << 20);
    }
  }

  @Test
  void sizesChangeInBothPlaces() {
    NodeId node = file(root, "a", "0123456789");

    assertThat(files.resize(node, 4, caller())).isEqualTo(Result.done());
    assertThat(text(other, node)).isEqualTo("0123");
    assertThat(other.resize(node, 1 << 30, caller())).isEqualTo(Result.done());
    assertThat(valueOf(files.status(node)).size()).isEqualTo(1 << 30);
    assertThat(files.resize(node, 2, caller())).isEqualTo(Result.done());
    assertThat(text(other, node)).isEqualTo("01");
  }

  @Test
  void directoriesAreRemovedWhenEmpty() {
    NodeId directory = directory(root, "d");
    file(directory, "a", "x");

    assertFails(other.removeDirectory(root, name("d"), caller()), Errno.ENOTEMPTY);
    assertFails(files.unlink(root, name("d"), caller()), Errno.EISDIR);
    assertThat(other.unlink(directory, name("a"), caller())).isEqualTo(Result.done());
    assertThat(files.removeDirectory(root, name("d"), caller())).isEqualTo(Result.done());
    assertFails(other.create(directory, name("b"), FILE, caller()), Errno.ENOENT);
    assertThat(names(other, root)).isEmpty();
  }

  @Test
  void aRenameReplacesAtomically() {
    NodeId from = directory(root, "from");
    NodeId to = directory(root, "to");
    NodeId moved = file(from, "a", "new");
    NodeId replaced = file(to, "b", "old");

    assertFails(files.rename(from, name("a"), to, name("b"), true, caller()), Errno.EEXIST);
    assertThat(files.rename(from, name("a"), to, name("b"), false, caller()))
        .isEqualTo(Result.done());

    assertThat(names(other, from)).isEmpty();
    assertThat(find(other, root, "to", "b")).isEqualTo(moved);
    assertThat(valueOf(other.status(replaced)).links()).isZero();
  }

  @Test
  void noDirectoryGetsBelowItself() {
    NodeId above = directory(root, "above");
    NodeId below = directory(above, "below");

    assertFails(other.rename(root, name("above"), below, name("x"), false, caller()), Errno.EINVAL);
    assertThat(files.rename(above, name("below"), root, name("up"), false, caller()))
        .isEqualTo(Result.done());
    assertThat(valueOf(other.parent(below))).isEqualTo(root);
    assertThat(other.rename(root, name("above"), below, name("x"), false, caller()))
        .isEqualTo(Result.done());
    assertThat(find(files, root, "up", "x")).isEqualTo(above);
  }

  @Test
  void anExchangeSwapsTwoNames() {
    NodeId directory = directory(root, "d");
    NodeId file = file(root, "f", "x");

    assertThat(other.exchange(root, name("f"), root, name("d"), caller())).isEqualTo(Result.done());

    assertThat(find(files, root, "f")).isEqualTo(directory);
    assertThat(find(files, root, "d")).isEqualTo(file);
    assertThat(valueOf(files.status(root)).links()).isEqualTo(3);
  }

  @Test
  void hardLinksAreNamesOfOneFile() {
    NodeId node = file(root, "a", "x");

    assertThat(other.link(node, root, name("b"), caller())).isEqualTo(Result.done());
    assertThat(valueOf(files.status(node)).links()).isEqualTo(2);
    assertThat(files.unlink(root, name("a"), caller())).isEqualTo(Result.done());
    assertThat(text(other, find(other, root, "b"))).isEqualTo("x");
    assertThat(valueOf(other.status(node)).links()).isEqualTo(1);
  }

  @Test
  void everyVersionStays() {
    NodeId node = file(root, "a", "one");
    Address then = silver.version();
    assertThat(files.write(node, 0, random(10_000), caller())).isEqualTo(Result.done());
    file(root, "b", "two");
    assertThat(other.unlink(root, name("a"), caller())).isEqualTo(Result.done());

    SilverFileSystem past = valueOf(silver.openAt("files", then));
    assertThat(names(past, past.root())).containsExactly("a");
    assertThat(text(past, find(past, root, "a"))).isEqualTo("one");
    assertFails(past.create(root, name("c"), FILE, caller()), Errno.EROFS);
    assertThat(names(files, root)).containsExactly("b");
  }

  @Test
  void aCloneAndItsSourceChangeApart() {
    NodeId directory = directory(root, "d");
    NodeId file = file(directory, "a", "source");

    NodeId clone = valueOf(files.cloneFrom(files, directory, root, name("clone"), caller()));
    NodeId copied = find(other, root, "clone", "a");
    assertThat(copied).isNotEqualTo(file);
    assertThat(text(other, copied)).isEqualTo("source");

    assertThat(other.write(copied, 0, bytes("clone!"), caller())).isEqualTo(Result.done());
    assertThat(files.write(file, 0, bytes("SOURCE"), caller())).isEqualTo(Result.done());
    file(directory, "later", "x");
    assertThat(other.unlink(clone, name("a"), caller())).isEqualTo(Result.done());

    assertThat(names(files, clone)).isEmpty();
    assertThat(names(files, directory)).containsExactly("a", "later");
    assertThat(text(other, file)).isEqualTo("SOURCE");
    assertThat(text(files, copied)).isEqualTo("clone!");
    assertThat(valueOf(files.parent(clone))).isEqualTo(root);
  }

  @Test
  void theCloneOfALargeFileChangesApart() {
    NodeId source = valueOf(files.create(root, name("a"), FILE, caller()));
    ByteBuffer large = random(200_000);
    assertThat(files.write(source, 0, large, caller())).isEqualTo(Result.done());

    NodeId clone = valueOf(other.cloneFrom(other, source, root, name("b"), caller()));
    assertThat(files.write(source, 0, bytes("source"), caller())).isEqualTo(Result.done());
    assertThat(other.write(clone, 199_990, bytes("clone"), caller())).isEqualTo(Result.done());

    assertThat(valueOf(files.read(clone, 0, 199_990))).isEqualTo(large.slice(0, 199_990));
    assertThat(valueOf(files.read(clone, 199_990, 5))).isEqualTo(bytes("clone"));
    assertThat(valueOf(other.read(source, 0, 6))).isEqualTo(bytes("source"));
    assertThat(valueOf(other.read(source, 6, 200_000))).isEqualTo(large.slice(6, 199_994));
    assertThat(valueOf(other.status(clone)).size()).isEqualTo(200_000);
  }

  @Test
  void aRangeOfALargeFileIsCopiedWithoutItsBytes() {
    NodeId source = valueOf(files.create(root, name("a"), FILE, caller()));
    NodeId target = valueOf(files.create(root, name("b"), FILE, caller()));
    ByteBuffer large = random(200_000);
    assertThat(files.write(source, 0, large, caller())).isEqualTo(Result.done());
    assertFails(files.copyRange(files, source, 0, target, 0, 10, caller()), Errno.EOPNOTSUPP);
    assertThat(files.resize(target, 10_000, caller())).isEqualTo(Result.done());

    assertThat(valueOf(other.copyRange(other, source, 50_000, target, 1_000, 1 << 20, caller())))
        .isEqualTo(150_000);

    assertThat(valueOf(files.status(target)).size()).isEqualTo(151_000);
    assertThat(valueOf(files.read(target, 1_000, 150_000))).isEqualTo(large.slice(50_000, 150_000));
    assertThat(valueOf(files.read(target, 0, 1_000))).isEqualTo(ByteBuffer.allocate(1_000));
  }

  @Test
  void aFileSystemIsClonedAtAVersion() {
    NodeId directory = directory(root, "d");
    NodeId below = directory(directory, "e");
    file(below, "a", "then");
    Address then = silver.version();
    file(below, "b", "later");

    SilverFileSystem clone = valueOf(silver.clone("files", Optional.of(then), "clone", caller()));
    assertThat(names(clone, find(clone, clone.root(), "d", "e"))).containsExactly("a");
    NodeId moved = find(clone, clone.root(), "d", "e");
    assertThat(
            clone.rename(
                find(clone, clone.root(), "d"),
                name("e"),
                clone.root(),
                name("up"),
                false,
                caller()))
        .isEqualTo(Result.done());
    assertThat(valueOf(clone.parent(moved))).isEqualTo(clone.root());
    assertThat(names(files, directory)).containsExactly("e");
    assertThat(silver.list()).containsExactly("clone", "files");
  }

  @Test
  void clonesOfClonesAreDeep() {
    file(directory(root, "d"), "a", "first");
    String source = "files";
    for (int i = 0; i < 20; i++) {
      SilverFileSystem clone =
          valueOf(silver.clone(source, Optional.empty(), "clone" + i, caller()));
      NodeId file = find(clone, clone.root(), "d", "a");
      assertThat(text(clone, file)).startsWith("first");
      assertThat(clone.append(file, bytes("."), caller())).isEqualTo(Result.done());
      source = "clone" + i;
    }

    SilverFileSystem last = valueOf(Silver.over(second).open(source));
    assertThat(text(last, find(last, last.root(), "d", "a"))).isEqualTo("first" + ".".repeat(20));
    assertThat(text(files, find(files, root, "d", "a"))).isEqualTo("first");
  }

  @Test
  void namesAndRangesThatCannotBeAreRefusedBeforeTheLogHasThem() {
    for (String wrong : List.of("", ".", "..", "a/b", "a\0b")) {
      assertFails(files.create(root, name(wrong), FILE, caller()), Errno.EINVAL);
    }
    assertFails(files.create(root, name("x".repeat(256)), FILE, caller()), Errno.ENAMETOOLONG);
    NodeId node = file(root, "a", "x");
    assertFails(files.write(node, -1, bytes("x"), caller()), Errno.EINVAL);
    assertFails(files.write(node, Long.MAX_VALUE - 1, bytes("xyz"), caller()), Errno.EFBIG);
    assertFails(files.resize(node, Long.MAX_VALUE, caller()), Errno.EFBIG);
    assertFails(files.punch(node, 1, Long.MAX_VALUE, caller()), Errno.EFBIG);
    assertFails(
        files.setExtendedAttribute(node, name(""), new byte[1], false, false, caller()),
        Errno.ERANGE);
    assertFails(
        files.setExtendedAttribute(node, name("user.x"), new byte[65_537], false, false, caller()),
        Errno.E2BIG);

    assertThat(text(other, find(other, root, "a"))).isEqualTo("x");
    assertThat(names(other, root)).containsExactly("a");
  }
}
