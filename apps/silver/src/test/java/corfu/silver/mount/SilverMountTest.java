package corfu.silver.mount;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.fuse.Result;
import corfu.fuse.linux.FileCalls;
import corfu.fuse.linux.OpenFlags;
import corfu.fuse.linux.SystemCalls;
import corfu.fuse.testing.FuseMachine;
import corfu.node.EmbeddedCluster;
import corfu.runtime.Corfu;
import corfu.silver.Silver;
import corfu.silver.SilverFileSystem;
import corfu.world.RealWorld;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two mounts of one file system, each with its own client. */
class SilverMountTest {

  @TempDir private Path directory;

  private final RealWorld world = new RealWorld();
  private EmbeddedCluster cluster;
  private Corfu first;
  private Corfu second;
  private Silver silver;
  private SilverMount one;
  private SilverMount other;
  private Path here;
  private Path there;

  @BeforeEach
  void mount() throws IOException {
    FuseMachine.require();
    cluster = EmbeddedCluster.builder().start();
    first = cluster.connect();
    second = cluster.connect();
    silver = Silver.over(first);
    SilverFileSystem files = valueOf(silver.create("files", silver.caller(0, 0)));
    Silver elsewhere = Silver.over(second);
    here = Files.createDirectory(directory.resolve("here"));
    there = Files.createDirectory(directory.resolve("there"));
    one = SilverMount.mount(world, silver, files, "files", here);
    other = SilverMount.mount(world, elsewhere, valueOf(elsewhere.open("files")), "files", there);
  }

  @AfterEach
  void unmount() throws IOException {
    one.close();
    other.close();
    first.close();
    second.close();
    cluster.close();
    world.close();
  }

  private static <T> T valueOf(Result<T> result) {
    assertThat(result).isInstanceOf(Result.Success.class);
    return ((Result.Success<T>) result).value();
  }

  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  @Test
  void whatOneMountHasWrittenTheOtherReads() throws IOException {
    for (int size : new int[] {0, 5, 4096, 4097, 3_000_000}) {
      byte[] bytes = random(size);
      Files.write(here.resolve("file"), bytes);
      assertThat(Files.readAllBytes(there.resolve("file"))).isEqualTo(bytes);
      assertThat(Files.size(there.resolve("file"))).isEqualTo(size);
    }
  }

  @Test
  void appendsOfTwoMountsDoNotOverwriteEachOther() throws IOException {
    for (int i = 0; i < 10; i++) {
      for (Path mount : new Path[] {here, there}) {
        Files.writeString(
            mount.resolve("log"), i + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      }
    }
    assertThat(Files.readAllLines(here.resolve("log"))).hasSize(20);
  }

  @Test
  void directWritesOfOneFileRunAtTheSameTime() throws Exception {
    byte[] bytes = random(64 * 4096);
    Files.write(here.resolve("file"), new byte[bytes.length]);
    byte[] path = here.resolve("file").toString().getBytes(UTF_8);
    int fd = SystemCalls.open(path, OpenFlags.WRITE_ONLY | OpenFlags.DIRECT, 0);
    assertThat(fd).isPositive();
    try (Arena arena = Arena.ofShared();
        var writers = Executors.newFixedThreadPool(8)) {
      List<Future<Long>> written = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        int offset = i * 4096;
        MemorySegment block = arena.allocate(4096, 4096);
        MemorySegment.copy(bytes, offset, block, ValueLayout.JAVA_BYTE, 0, 4096);
        written.add(writers.submit(() -> FileCalls.writeAt(fd, block, 4096, offset)));
      }
      for (Future<Long> each : written) {
        assertThat(each.get()).isEqualTo(4096);
      }
    } finally {
      int unused = SystemCalls.close(fd);
    }
    assertThat(Files.readAllBytes(there.resolve("file"))).isEqualTo(bytes);
    assertThat(Files.readAllBytes(here.resolve("file"))).isEqualTo(bytes);
  }

  @Test
  void namesChangeForBoth() throws IOException {
    Files.createDirectories(here.resolve("a/b/c"));
    Files.writeString(there.resolve("a/b/c/file"), "x");
    Files.createSymbolicLink(here.resolve("link"), Path.of("a/b/c/file"));
    Files.createLink(there.resolve("hard"), there.resolve("a/b/c/file"));
    Files.move(there.resolve("a/b"), there.resolve("moved"));
    Files.move(here.resolve("moved/c/file"), here.resolve("hard2"), StandardCopyOption.ATOMIC_MOVE);

    assertThat(Files.readString(there.resolve("hard2"))).isEqualTo("x");
    assertThat(Files.getAttribute(there.resolve("hard"), "unix:nlink")).isEqualTo(2);
    assertThat(Files.readSymbolicLink(there.resolve("link"))).isEqualTo(Path.of("a/b/c/file"));
    assertThat(Files.exists(there.resolve("link"))).isFalse();
    try (var names = Files.list(there)) {
      assertThat(names.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder("a", "moved", "link", "hard", "hard2");
    }
  }

  @Test
  void theVersionsAreDirectories() throws IOException {
    Files.writeString(here.resolve("file"), "then");
    String version = Files.readString(there.resolve(".silver/version")).strip();
    Files.writeString(here.resolve("file"), "now");

    Path past = there.resolve(".silver/at/" + version);
    assertThat(Files.readString(past.resolve("file"))).isEqualTo("then");
    assertThat(Files.readString(there.resolve("file"))).isEqualTo("now");
    assertThat(Files.readString(there.resolve(".silver/stats"), UTF_8)).contains("requests ");
  }

  @Test
  void theStatisticsCountTheWorkOfTheMount() throws IOException {
    Map<String, Long> before = statistics();
    Files.write(here.resolve("a"), new byte[100]);
    Files.write(here.resolve("b"), new byte[5_000]);
    Files.write(here.resolve("b"), new byte[500], StandardOpenOption.APPEND);
    assertThat(Files.readAllBytes(here.resolve("b"))).hasSize(5_500);
    Files.writeString(there.resolve("c"), "x"); // only the log tells this mount of it
    assertThat(here.resolve("c")).hasContent("x");
    Map<String, Long> after = statistics();

    assertThat(more("bytes-written", before, after)).isEqualTo(5_600);
    assertThat(more("bytes-read", before, after)).isGreaterThanOrEqualTo(5_500);
    assertThat(more("requests-write", before, after)).isEqualTo(3);
    assertThat(more("requests-create", before, after)).isEqualTo(2);
    assertThat(more("requests", before, after)).isGreaterThan(5);
    assertThat(more("entries-appended", before, after)).isEqualTo(5); // 2 creates, 3 writes
    assertThat(more("node-cache-misses", before, after)).isPositive();
    assertThat(more("data-cache-hits", before, after)).isPositive();
    assertThat(more("data-cache-misses", before, after)).isEqualTo(1);
    assertThat(after.get("nodes-in-memory")).isGreaterThanOrEqualTo(3);
    assertThat(after).containsKey("node-cache-hits");
  }

  private static long more(String name, Map<String, Long> before, Map<String, Long> after) {
    return after.getOrDefault(name, 0L) - before.getOrDefault(name, 0L);
  }

  private Map<String, Long> statistics() throws IOException {
    Map<String, Long> numbers = new HashMap<>();
    for (String line : Files.readString(here.resolve(".silver/stats")).lines().toList()) {
      String[] parts = line.split(" ", -1);
      assertThat(parts).hasSize(2);
      numbers.put(parts[0], Long.parseLong(parts[1]));
    }
    return numbers;
  }

  @Test
  void versionsThatWereGivenUpAreNoDirectories() throws IOException {
    Files.writeString(here.resolve("file"), "then");
    Files.write(here.resolve("removed"), random(100_000));
    String version = Files.readString(there.resolve(".silver/version")).strip();
    Files.writeString(here.resolve("file"), "now");
    Files.delete(there.resolve("removed"));
    var freed =
        valueOf(silver.checkpoint("files", Optional.empty(), silver.caller(0, 0), progress -> {}));

    assertThat(freed.removedNodes()).isEqualTo(1);
    assertThat(Files.exists(there.resolve(".silver/at/" + version))).isFalse();
    assertThat(Files.exists(there.resolve(".silver/at/" + freed.oldest() + "/file"))).isTrue();
    for (Path mount : new Path[] {here, there}) {
      assertThat(Files.readString(mount.resolve("file"))).isEqualTo("now");
      Files.writeString(mount.resolve("file"), "now");
      assertThat(Files.exists(mount.resolve("removed"))).isFalse();
    }
  }

  @Test
  void mountsShareTheLocksOfFiles() throws IOException {
    Files.writeString(here.resolve("file"), "x");
    try (FileChannel mine = FileChannel.open(here.resolve("file"), StandardOpenOption.WRITE);
        FileChannel theirs = FileChannel.open(there.resolve("file"), StandardOpenOption.WRITE)) {
      FileLock lock = mine.lock();
      assertThat(theirs.tryLock()).isNull();
      lock.release();
      assertThat(theirs.lock().isValid()).isTrue();
    }
  }
}
