package corfu.silver.mount;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import corfu.fuse.Result;
import corfu.fuse.protocol.FileName;
import corfu.fuse.testing.FuseMachine;
import corfu.node.EmbeddedCluster;
import corfu.runtime.Corfu;
import corfu.silver.ClusterSpace;
import corfu.silver.Silver;
import corfu.silver.SilverFileSystem;
import corfu.silver.quota.QuotaLimits;
import corfu.world.RealWorld;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Quotas and free space as programs see them. */
class QuotaMountTest {

  private static final int LIMIT = 1 << 20;
  private static final String FULL = "Disk quota exceeded";

  @TempDir private Path directory;

  private final RealWorld world = new RealWorld();
  private EmbeddedCluster cluster;
  private Corfu corfu;
  private Silver silver;
  private SilverFileSystem files;
  private SilverMount mount;
  private Path root;
  private Path limited;

  @BeforeEach
  void mount() throws IOException {
    FuseMachine.require();
    cluster = EmbeddedCluster.builder().start();
    corfu = cluster.connect();
    silver = Silver.over(corfu);
    files = valueOf(silver.create("files", silver.caller(0, 0)));
    root = Files.createDirectory(directory.resolve("mount"));
    mount = SilverMount.mount(world, silver, files, "files", root);
    limited = Files.createDirectory(root.resolve("limited"));
  }

  @AfterEach
  void unmount() throws IOException {
    if (mount != null) {
      mount.close();
      corfu.close();
      cluster.close();
    }
    world.close();
  }

  private static <T> T valueOf(Result<T> result) {
    assertThat(result).isInstanceOf(Result.Success.class);
    return ((Result.Success<T>) result).value();
  }

  private static void setAttribute(Path path, String name, String value) throws Exception {
    Process process =
        new ProcessBuilder("setfattr", "-n", name, "-v", value, path.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
  }

  private void limit(long bytes, long nodes) {
    var node = valueOf(files.lookUp(files.root(), FileName.of("limited")));
    var limits = new QuotaLimits(OptionalLong.of(bytes), OptionalLong.of(nodes));
    assertThat(files.quotas().set(node.node(), limits, silver.caller(0, 0)))
        .isEqualTo(Result.done());
  }

  @Test
  void writesAndNewFilesFailAboveTheLimit() throws IOException {
    limit(LIMIT, 3);
    Files.write(limited.resolve("a"), new byte[LIMIT - 10]);
    assertThatThrownBy(() -> Files.write(limited.resolve("b"), new byte[11]))
        .hasMessageContaining(FULL);
    Files.write(limited.resolve("b"), new byte[10]);
    assertThatThrownBy(
            () -> Files.write(limited.resolve("a"), new byte[1], StandardOpenOption.APPEND))
        .hasMessageContaining(FULL);
    Files.createDirectory(limited.resolve("d"));
    assertThatThrownBy(() -> Files.createFile(limited.resolve("d/c"))).hasMessageContaining(FULL);
    Files.delete(limited.resolve("a"));
    Files.createFile(limited.resolve("d/c"));
    Files.write(root.resolve("free"), new byte[2 * LIMIT]);
  }

  @Test
  void aMoveOverTheBorderCopies() throws IOException {
    limit(LIMIT, 3);
    Files.write(root.resolve("small"), new byte[1_000]);
    Files.write(root.resolve("large"), new byte[LIMIT]);

    Files.move(root.resolve("small"), limited.resolve("small"));
    assertThat(limited.resolve("small")).hasSize(1_000);
    assertThat(root.resolve("small")).doesNotExist();
    assertThatThrownBy(() -> Files.move(root.resolve("large"), limited.resolve("large")))
        .hasMessageContaining(FULL);
    assertThat(root.resolve("large")).hasSize(LIMIT);
  }

  @Test
  void theFreeSpaceOfADirectoryIsThatOfItsQuota() throws IOException {
    limit(LIMIT, 3);
    Files.write(limited.resolve("a"), new byte[LIMIT / 4]);

    FileStore store = Files.getFileStore(limited);
    assertThat(store.getTotalSpace()).isEqualTo(LIMIT);
    assertThat(store.getUsableSpace()).isEqualTo(LIMIT * 3 / 4);
    assertThat(Files.getFileStore(limited.resolve("a")).getUsableSpace()).isEqualTo(LIMIT * 3 / 4);
  }

  @Test
  void withoutAQuotaTheFreeSpaceIsThatOfTheCluster() throws IOException {
    ClusterSpace space = silver.space().orElseThrow();
    FileStore store = Files.getFileStore(root);

    assertThat(store.getTotalSpace() / 4096)
        .isCloseTo(space.totalBytes() / 4096, Percentage.withPercentage(10));
    assertThat(store.getUsableSpace()).isLessThanOrEqualTo(store.getTotalSpace()).isPositive();
  }

  @Test
  void aLimitIsAnExtendedAttribute() throws Exception {
    assumeTrue(
        Files.exists(Path.of("/usr/bin/setfattr")),
        "this machine lacks setfattr: install the package attr");
    setAttribute(limited, "trusted.silver.quota.bytes", "5000");
    assertThatThrownBy(() -> Files.write(limited.resolve("a"), new byte[5_001]))
        .hasMessageContaining(FULL);
    Files.write(limited.resolve("a"), new byte[5_000]);
  }

  @Test
  void aMountThatComesLaterKnowsTheSpaceInUse() throws IOException {
    limit(LIMIT, 3);
    Files.write(limited.resolve("a"), new byte[LIMIT - 10]);
    mount.close();

    mount = SilverMount.mount(world, silver, files, "files", root);
    assertThatThrownBy(() -> Files.write(limited.resolve("b"), new byte[11]))
        .hasMessageContaining(FULL);
    Files.write(limited.resolve("b"), new byte[10]);
  }
}
