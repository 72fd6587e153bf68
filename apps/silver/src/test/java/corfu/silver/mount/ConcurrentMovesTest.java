package corfu.silver.mount;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.silver.check.Finding;
import corfu.silver.check.TreeCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two mounts move directories into each other at the same time. */
@Timeout(120)
class ConcurrentMovesTest {

  private static final int ROUNDS = 40;

  @TempDir private Path directory;

  private static CompletableFuture<Boolean> moves(
      Path mount, String from, String to, CyclicBarrier start) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            start.await();
            Files.move(mount.resolve(from), mount.resolve(to), StandardCopyOption.ATOMIC_MOVE);
            return true;
          } catch (IOException refused) {
            return false;
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        },
        task -> Thread.ofPlatform().start(task));
  }

  @Test
  void noDirectoryGetsBelowItself() throws Exception {
    try (TwoMounts mounts = new TwoMounts(directory, SilverMountOptions.DEFAULT)) {
      Files.createDirectories(mounts.here().resolve("a/inner"));
      Files.createDirectories(mounts.here().resolve("b/inner"));
      for (int round = 0; round < ROUNDS; round++) {
        CyclicBarrier start = new CyclicBarrier(2);
        var first = moves(mounts.here(), "a", "b/inner/a", start);
        var second = moves(mounts.there(), "b", "a/inner/b", start);

        assertThat(first.join()).as("exactly one of both is moved").isNotEqualTo(second.join());
        String moved = first.join() ? "b/inner/a" : "a/inner/b";
        String back = first.join() ? "a" : "b";
        assertThat(mounts.here().resolve(moved)).isDirectory();
        assertThat(mounts.there().resolve(moved)).isDirectory();
        Files.move(mounts.here().resolve(moved), mounts.here().resolve(back));
      }
      List<Finding> found = new ArrayList<>();
      var version = mounts.files().at(mounts.silver().version());
      assertThat(TreeCheck.run(version, found::add)).isEqualTo(5);
      assertThat(found).isEmpty();
    }
  }
}
