package corfu.silver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.linux.FileMode;
import corfu.fuse.protocol.FileName;
import corfu.node.EmbeddedCluster;
import corfu.runtime.Corfu;
import corfu.silver.quota.QuotaLimits;
import corfu.silver.quota.QuotaStatus;
import corfu.silver.quota.Usage;
import corfu.world.Eventually;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Quotas of directories, enforced by one client and by several. */
class QuotaTest {

  private static final NewNode FILE = NewNode.of(FileMode.REGULAR | 0644, 1, 2);
  private static final NewNode DIRECTORY = NewNode.of(FileMode.DIRECTORY | 0755, 1, 2);

  private EmbeddedCluster cluster;
  private Corfu corfu;
  private Silver silver;
  private SilverFileSystem files;
  private NodeId limited;
  private NodeId free;

  @BeforeEach
  void start() {
    cluster = EmbeddedCluster.builder().start();
    corfu = cluster.connect();
    silver = Silver.over(corfu);
    files = valueOf(silver.create("files", caller()));
    assertThat(files.lookForOthers()).isPositive();
    limited = directory(files.root(), "limited");
    free = directory(files.root(), "free");
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

  private static void assertDone(Result<Done> result) {
    assertThat(result).isEqualTo(Result.done());
  }

  private static void assertFails(Result<?> result, Errno errno) {
    assertThat(result).isEqualTo(Result.failed(errno));
  }

  private static FileName name(String text) {
    return FileName.of(text);
  }

  private NodeId file(NodeId directory, String name) {
    return valueOf(files.create(directory, name(name), FILE, caller()));
  }

  private NodeId directory(NodeId parent, String name) {
    return valueOf(files.create(parent, name(name), DIRECTORY, caller()));
  }

  private static QuotaLimits limits(long bytes, long nodes) {
    return new QuotaLimits(
        bytes == 0 ? OptionalLong.empty() : OptionalLong.of(bytes),
        nodes == 0 ? OptionalLong.empty() : OptionalLong.of(nodes));
  }

  private void limit(NodeId directory, long bytes, long nodes) {
    assertDone(files.quotas().set(directory, limits(bytes, nodes), caller()));
  }

  private Result<Done> write(SilverFileSystem in, NodeId node, long offset, int length) {
    return in.write(node, offset, ByteBuffer.allocate(length), caller());
  }

  private Result<Done> write(NodeId node, long offset, int length) {
    return write(files, node, offset, length);
  }

  private void assertUsed(NodeId directory, long bytes, long nodes) {
    Usage expected = new Usage(bytes, nodes);
    assertThat(valueOf(files.quotas().measure(directory)).used()).isEqualTo(expected);
    assertThat(files.quotas().of(directory).map(QuotaStatus::used)).contains(expected);
  }

  @Test
  void bytesAboveTheLimitAreRefused() {
    limit(limited, 10_000, 0);
    NodeId file = file(limited, "a");

    assertDone(write(file, 0, 6_000));
    assertFails(write(file, 6_000, 4_001), Errno.EDQUOT);
    assertDone(write(file, 6_000, 4_000));
    assertFails(files.append(file, ByteBuffer.allocate(1), caller()), Errno.EDQUOT);
    assertFails(files.resize(file, 10_001, caller()), Errno.EDQUOT);
    assertDone(write(file, 5_000, 5_000)); // no growth
    assertUsed(limited, 10_000, 1);

    assertDone(files.resize(file, 9_000, caller()));
    assertDone(files.append(file, ByteBuffer.allocate(1_000), caller()));
    assertFails(write(file(directory(limited, "d"), "b"), 0, 1), Errno.EDQUOT);
    assertDone(write(file(free, "a"), 0, 100_000));
    assertUsed(limited, 10_000, 3);
  }

  @Test
  void nodesAboveTheLimitAreRefused() {
    limit(limited, 0, 3);
    NodeId directory = directory(limited, "d");
    NodeId file = file(directory, "a");
    assertDone(files.link(file, limited, name("b"), caller()));
    NodeId unused = file(limited, "c");

    assertFails(files.create(directory, name("x"), FILE, caller()), Errno.EDQUOT);
    assertDone(files.unlink(directory, name("a"), caller()));
    assertFails(files.create(directory, name("x"), FILE, caller()), Errno.EDQUOT);
    assertDone(files.unlink(limited, name("b"), caller()));
    assertThat(unused).isNotEqualTo(file(directory, "x"));
    assertUsed(limited, 0, 3);
    assertDone(files.unlink(directory, name("x"), caller()));
    assertDone(files.removeDirectory(limited, name("d"), caller()));
    assertUsed(limited, 0, 1);
  }

  @Test
  void aFileWithoutANameTakesSpaceWhenItGetsOne() {
    limit(limited, 1_000, 0);
    NodeId file = valueOf(files.makeTemporary(FILE, caller()));
    assertDone(write(file, 0, 1_001));

    assertFails(files.link(file, limited, name("a"), caller()), Errno.EDQUOT);
    assertDone(files.resize(file, 900, caller()));
    assertDone(files.link(file, limited, name("a"), caller()));
    assertFails(write(file, 0, 1_001), Errno.EDQUOT);
    assertUsed(limited, 900, 1);
    assertDone(files.unlink(limited, name("a"), caller()));
    assertDone(write(file, 0, 5_000)); // nobody can see it
    assertUsed(limited, 0, 0);
  }

  @Test
  void namesDoNotMoveBetweenQuotas() {
    limit(limited, 10_000, 0);
    NodeId file = file(limited, "a");
    NodeId other = file(free, "b");

    assertFails(files.rename(limited, name("a"), free, name("a"), false, caller()), Errno.EXDEV);
    assertFails(files.rename(free, name("b"), limited, name("b"), false, caller()), Errno.EXDEV);
    assertFails(files.exchange(free, name("b"), limited, name("a"), caller()), Errno.EXDEV);
    assertFails(files.link(file, free, name("c"), caller()), Errno.EXDEV);
    assertFails(files.link(other, limited, name("c"), caller()), Errno.EXDEV);
    assertDone(
        files.rename(limited, name("a"), directory(limited, "d"), name("a"), false, caller()));
    assertDone(files.rename(files.root(), name("limited"), free, name("x"), false, caller()));
    assertFails(write(file, 0, 10_001), Errno.EDQUOT); // the directory has kept its quota
  }

  @Test
  void aReplacedFileFreesItsSpace() {
    limit(limited, 1_000, 2);
    assertDone(write(file(limited, "a"), 0, 600));
    assertDone(write(file(limited, "b"), 0, 400));
    assertDone(files.rename(limited, name("b"), limited, name("a"), false, caller()));
    assertUsed(limited, 400, 1);
    assertDone(
        files.link(valueOf(files.lookUp(limited, name("a"))).node(), limited, name("l"), caller()));
    assertDone(files.rename(limited, name("a"), limited, name("l"), false, caller()));
    assertUsed(limited, 400, 1);
  }

  @Test
  void nestedQuotasAllCount() {
    NodeId inner = directory(limited, "inner");
    limit(limited, 1_000, 0);
    limit(inner, 800, 0);
    NodeId file = file(inner, "a");

    assertDone(write(file(limited, "b"), 0, 300));
    assertFails(write(file, 0, 701), Errno.EDQUOT);
    assertDone(write(file, 0, 700));
    assertDone(files.unlink(limited, name("b"), caller()));
    assertFails(write(file, 0, 801), Errno.EDQUOT);
    assertDone(write(file, 0, 800));
    assertThat(files.quotas().of(file).map(QuotaStatus::directory)).contains(inner);
    assertUsed(limited, 800, 2);
    limit(inner, 0, 0);
    assertDone(write(file, 0, 1_000));
    assertThat(files.quotas().of(file).map(QuotaStatus::directory)).contains(limited);
  }

  @Test
  void aCloneTakesTheSpaceOfItsTree() {
    NodeId tree = directory(free, "tree");
    assertDone(write(file(tree, "a"), 0, 600));
    limit(limited, 1_000, 0);

    NodeId clone = valueOf(files.cloneFrom(files, tree, limited, name("clone"), caller()));
    assertFails(files.cloneFrom(files, tree, limited, name("again"), caller()), Errno.EDQUOT);
    NodeId copied = valueOf(files.lookUp(clone, name("a"))).node();
    assertFails(write(copied, 0, 1_001), Errno.EDQUOT);
    assertDone(write(copied, 0, 1_000));
    assertUsed(limited, 1_000, 2);
  }

  @Test
  void theCloneOfAFileSystemHasTheLimitForItself() {
    limit(limited, 1_000, 0);
    assertDone(write(file(limited, "a"), 0, 1_000));

    SilverFileSystem clone = valueOf(silver.clone("files", Optional.empty(), "clone", caller()));
    NodeId there = valueOf(clone.lookUp(clone.root(), name("limited"))).node();
    NodeId file = valueOf(clone.lookUp(there, name("a"))).node();
    assertFails(write(clone, file, 0, 1_001), Errno.EDQUOT);
    assertDone(clone.resize(file, 0, caller()));
    assertDone(write(clone, file, 0, 1_000));
    assertUsed(limited, 1_000, 1);
  }

  @Test
  void limitsAreNumbersOfDirectories() {
    NodeId file = file(limited, "a");
    assertFails(files.quotas().set(file, limits(1, 0), caller()), Errno.EINVAL);
    for (String wrong : List.of("", "0", "-1", "1k", "1000000000000000000")) {
      byte[] value = wrong.getBytes(UTF_8);
      assertFails(
          files.setExtendedAttribute(limited, QuotaLimits.BYTES, value, false, false, caller()),
          Errno.EINVAL);
    }
    assertThat(files.quotas().of(limited)).isEmpty();
  }

  @Test
  void anotherClientCountsWhatAKilledOneHasWritten() {
    limit(limited, 1_000, 5);
    assertDone(write(file(limited, "a"), 0, 700));
    corfu.close(); // without leaving

    corfu = cluster.connect();
    silver = Silver.over(corfu);
    files = valueOf(silver.open("files"));
    NodeId file = file(limited, "b");
    assertFails(write(file, 0, 301), Errno.EDQUOT);
    assertDone(write(file, 0, 300));
    assertUsed(limited, 1_000, 2);
  }

  @Test
  void manyThreadsOfOneClientUseTheLimitExactly() throws InterruptedException {
    int threads = 8;
    limit(limited, 60_000, 30);
    List<Thread> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Random random = new Random(i);
      running.add(Thread.ofVirtual().start(() -> use(random)));
    }
    for (Thread thread : running) {
      thread.join();
    }
    Usage used = valueOf(files.quotas().measure(limited)).used();
    assertThat(used.bytes()).isLessThanOrEqualTo(60_000);
    assertThat(used.nodes()).isLessThanOrEqualTo(30);
    assertThat(files.lookForOthers()).isPositive();
    assertUsed(limited, used.bytes(), used.nodes());
    NodeId rest = file(free, "rest");
    assertThat(rest).isNotEqualTo(limited);
  }

  /** Some operations fail, because names come and go. */
  private void use(Random random) {
    for (int i = 0; i < 120; i++) {
      FileName one = name("f" + random.nextInt(12));
      FileName other = name("f" + random.nextInt(12));
      Result<?> unused =
          switch (random.nextInt(6)) {
            case 0, 1 -> files.create(limited, one, FILE, caller());
            case 2 -> files.unlink(limited, one, caller());
            case 3 -> files.rename(limited, one, limited, other, false, caller());
            case 4 ->
                files.lookUp(limited, one) instanceof Result.Success<NodeStatus>(var found)
                    ? files.link(found.node(), limited, other, caller())
                    : Result.done();
            default ->
                files.lookUp(limited, one) instanceof Result.Success<NodeStatus>(var found)
                    ? write(found.node(), random.nextInt(8_000), random.nextInt(8_000))
                    : Result.done();
          };
    }
  }

  @Test
  void severalClientsExceedTheLimitByAShareAtMost() {
    limit(limited, 100_000, 0);
    try (Corfu second = cluster.connect()) {
      SilverFileSystem other = valueOf(Silver.over(second).open("files"));
      NodeId mine = file(limited, "mine");
      NodeId theirs = valueOf(other.create(limited, name("theirs"), FILE, caller()));
      assertThat(files.lookForOthers()).isZero();
      int full = 0;
      for (int i = 0; full < 2; i++) {
        boolean isMine = i % 2 == 0;
        Result<Done> result =
            isMine
                ? files.append(mine, ByteBuffer.allocate(1_000), caller())
                : other.append(theirs, ByteBuffer.allocate(1_000), caller());
        full = result.equals(Result.failed(Errno.EDQUOT)) ? full + 1 : 0;
      }
      long used = valueOf(files.quotas().measure(limited)).used().bytes();
      assertThat(used).isBetween(100_000L, 150_000L);

      assertDone(other.resize(theirs, 0, caller()));
      Eventually.eventually(
          () -> assertDone(files.append(mine, ByteBuffer.allocate(1_000), caller())));
    }
  }
}
