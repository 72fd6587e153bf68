package corfu.silver.mount;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import corfu.fuse.Result;
import corfu.fuse.testing.FuseMachine;
import corfu.node.EmbeddedCluster;
import corfu.runtime.Corfu;
import corfu.silver.Silver;
import corfu.silver.SilverFileSystem;
import corfu.silver.mount.SilverMountOptions.Consistency;
import corfu.world.RealWorld;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A git repository in a mount. Git renames, links, locks and maps files, and checks them all. */
class GitOnMountTest {

  private static final int FILES = 60;

  @TempDir private Path directory;

  private static <T> T valueOf(Result<T> result) {
    assertThat(result).isInstanceOf(Result.Success.class);
    return ((Result.Success<T>) result).value();
  }

  private static String git(Path in, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of("-c", "user.name=a", "-c", "user.email=a@b.c"));
    command.addAll(List.of("-c", "safe.directory=*", "-c", "gc.auto=0"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).directory(in.toFile()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as("%s: %s", command, output).isZero();
    return output;
  }

  private static boolean hasGit() {
    try {
      return new ProcessBuilder("git", "--version").start().waitFor() == 0;
    } catch (IOException | InterruptedException none) {
      return false;
    }
  }

  private static void write(Path repository, int seed) throws IOException {
    Random random = new Random(seed);
    for (int i = 0; i < FILES; i++) {
      Path file = repository.resolve("d" + i % 7).resolve("f" + i);
      Files.createDirectories(file.getParent());
      byte[] bytes = new byte[random.nextInt(20_000)];
      random.nextBytes(bytes);
      Files.write(file, bytes);
    }
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void aRepositoryAndItsCloneAreWhole(Consistency consistency) throws Exception {
    FuseMachine.require();
    SilverMountOptions options = SilverMountOptions.DEFAULT.with(consistency);
    assumeTrue(hasGit(), "there is no git on this machine");
    try (RealWorld world = new RealWorld();
        EmbeddedCluster cluster = EmbeddedCluster.builder().start();
        Corfu corfu = cluster.connect()) {
      Silver silver = Silver.over(corfu);
      SilverFileSystem files = valueOf(silver.create("files", silver.caller(0, 0)));
      Path here = Files.createDirectory(directory.resolve("here"));
      try (var mount = SilverMount.mount(world, silver, files, "files", here, options)) {
        Path repository = Files.createDirectory(mount.directory().resolve("repository"));
        git(repository, "init", "--quiet");
        write(repository, 1);
        git(repository, "add", ".");
        git(repository, "commit", "--quiet", "-m", "first");

        SilverFileSystem clone =
            valueOf(silver.clone("files", Optional.empty(), "clone", silver.caller(0, 0)));
        Path there = Files.createDirectory(directory.resolve("there"));
        try (var cloned = SilverMount.mount(world, silver, clone, "clone", there, options)) {
          Path copy = cloned.directory().resolve("repository");
          assertThat(git(copy, "status", "--short")).isEmpty();
          write(copy, 2);
          git(copy, "commit", "--quiet", "-a", "-m", "second");
          git(copy, "fsck", "--strict");
          assertThat(git(copy, "log", "--oneline").lines()).hasSize(2);
        }

        git(repository, "fsck", "--strict");
        assertThat(git(repository, "status", "--short")).isEmpty();
        assertThat(git(repository, "log", "--oneline").lines()).hasSize(1);
      }
    }
  }
}
