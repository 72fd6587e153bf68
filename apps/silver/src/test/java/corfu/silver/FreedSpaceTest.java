package corfu.silver;

import static corfu.world.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.fuse.Result;
import corfu.fuse.linux.FileMode;
import corfu.fuse.protocol.FileName;
import corfu.node.EmbeddedCluster;
import corfu.runtime.Corfu;
import corfu.runtime.NoSpaceException;
import corfu.silver.check.TreeCheck;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The disks of log units while file systems are deleted and checkpointed. */
@Timeout(180)
class FreedSpaceTest {

  private static final NewNode FILE = NewNode.of(FileMode.REGULAR | 0644, 1, 2);
  private static final int WRITE = 64 << 10;
  private static final int CAPACITY = 16 << 20;
  private static final FileName KEPT = FileName.of("kept");
  private static final FileName DELETED = FileName.of("deleted");

  @TempDir private Path directory;

  private EmbeddedCluster cluster() {
    return EmbeddedCluster.builder().directory(directory).capacityBytes(CAPACITY).start();
  }

  private static Caller caller(Silver silver) {
    return silver.caller(1, 2);
  }

  private static <T> T valueOf(Result<T> result) {
    assertThat(result).isInstanceOf(Result.Success.class);
    return ((Result.Success<T>) result).value();
  }

  private static void write(Silver silver, SilverFileSystem files, NodeId file, long offset) {
    assertThat(files.write(file, offset, ByteBuffer.allocate(WRITE), caller(silver)))
        .isEqualTo(Result.done());
  }

  private static NodeId file(Silver silver, SilverFileSystem files, FileName name) {
    return valueOf(files.create(files.root(), name, FILE, caller(silver)));
  }

  /** Returns the bytes that the files in a directory have on the disk. */
  private static long bytesOf(Path directory) {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile).mapToLong(FreedSpaceTest::sizeOf).sum();
    } catch (IOException | UncheckedIOException changing) {
      return Long.MAX_VALUE; // a file was deleted meanwhile
    }
  }

  private static long sizeOf(Path file) {
    try {
      return Files.size(file);
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
  }

  private static void checkpoint(Silver silver) {
    var unused =
        valueOf(silver.checkpoint("files", Optional.empty(), caller(silver), progress -> {}));
  }

  private static void assertSound(Silver silver, SilverFileSystem files) {
    List<Object> findings = new ArrayList<>();
    assertThat(TreeCheck.run(files.at(silver.version()), findings::add)).isPositive();
    assertThat(findings).isEmpty();
  }

  @Test
  void aUnitsFilesShrinkAfterADeletionAndACheckpoint() {
    try (EmbeddedCluster cluster = cluster();
        Corfu corfu = cluster.connect();
        Silver silver = Silver.over(corfu)) {
      SilverFileSystem files = valueOf(silver.create("files", caller(silver)));
      NodeId kept = file(silver, files, KEPT);
      write(silver, files, kept, 0);
      NodeId deleted = file(silver, files, DELETED);
      for (int i = 0; i < 128; i++) {
        write(silver, files, deleted, (long) i * WRITE);
      }
      long before = bytesOf(directory);
      assertThat(before).isGreaterThan(128 * WRITE);
      assertThat(files.unlink(files.root(), DELETED, caller(silver))).isEqualTo(Result.done());
      checkpoint(silver);

      eventually(() -> assertThat(bytesOf(directory)).isLessThan(before / 2));
      assertThat(valueOf(files.read(kept, 0, WRITE)).remaining()).isEqualTo(WRITE);
      assertSound(silver, files);
    }
  }

  @Test
  void aFullUnitTakesDataAgainAfterADeletionAndACheckpoint() {
    try (EmbeddedCluster cluster = cluster();
        Corfu corfu = cluster.connect();
        Silver silver = Silver.over(corfu)) {
      SilverFileSystem files = valueOf(silver.create("files", caller(silver)));
      NodeId kept = file(silver, files, KEPT);
      write(silver, files, kept, 0);
      NodeId deleted = file(silver, files, DELETED);
      int[] written = {0};
      assertThatThrownBy(
              () -> {
                while (true) {
                  write(silver, files, deleted, (long) written[0] * WRITE);
                  written[0]++;
                }
              })
          .isInstanceOf(NoSpaceException.class);
      assertThat(written[0]).isGreaterThan(32);
      assertThat(valueOf(files.read(kept, 0, WRITE)).remaining()).isEqualTo(WRITE);
      assertThat(valueOf(files.read(deleted, 0, WRITE)).remaining()).isEqualTo(WRITE);

      assertThat(files.unlink(files.root(), DELETED, caller(silver))).isEqualTo(Result.done());
      checkpoint(silver);
      eventually(() -> assertThat(isWritten(silver, files, kept)).isTrue());
      assertThat(valueOf(files.read(kept, 0, 2 * WRITE)).remaining()).isEqualTo(2 * WRITE);
      assertSound(silver, files);
    }
  }

  private static boolean isWritten(Silver silver, SilverFileSystem files, NodeId file) {
    try {
      write(silver, files, file, WRITE);
      return true;
    } catch (NoSpaceException notYet) {
      return false;
    }
  }
}
