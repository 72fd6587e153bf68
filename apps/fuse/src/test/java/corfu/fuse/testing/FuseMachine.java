package corfu.fuse.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import corfu.fuse.linux.SystemCalls;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * Tells whether this machine can mount. A test that needs a mount is skipped elsewhere, with the
 * reason. With {@code CORFU_TEST_FUSE=required} in the environment it fails instead.
 */
public final class FuseMachine {

  private FuseMachine() {}

  /** Skips or fails the calling test if this machine cannot mount. */
  public static void require() {
    require(obstacle());
  }

  /** As {@link #require()}, for a test that mounts by the program fusermount3. */
  public static void requireFuserMount() {
    require(
        obstacle()
            .or(
                () ->
                    hasProgram("fusermount3")
                        ? Optional.empty()
                        : Optional.of("fusermount3 is not installed; install the package fuse3")));
  }

  /** As {@link #requireFuserMount()}, for a test that mounts as a user without privileges. */
  public static void requireUserMount() throws IOException {
    requireFuserMount();
    require(
        !hasProgram("setpriv")
            ? Optional.of("setpriv is not installed; install the package util-linux")
            : Files.getPosixFilePermissions(Path.of("/dev/fuse"))
                    .containsAll(
                        Set.of(PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE))
                ? Optional.empty()
                : Optional.of("only root may open /dev/fuse; its usual mode is 0666"));
  }

  /** Returns whether the search path has a program. */
  private static boolean hasProgram(String name) {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(path -> Files.isExecutable(Path.of(path, name)));
  }

  private static void require(Optional<String> obstacle) {
    String text = "this machine cannot mount by FUSE: " + obstacle.orElse("");
    if ("required".equals(System.getenv("CORFU_TEST_FUSE"))) {
      assertThat(obstacle).as(text).isEmpty();
    } else {
      assumeTrue(obstacle.isEmpty(), text);
    }
  }

  private static Optional<String> obstacle() {
    if (!Files.exists(Path.of("/dev/fuse"))) {
      return Optional.of("there is no /dev/fuse");
    }
    return SystemCalls.effectiveUserId() == 0
        ? Optional.empty()
        : Optional.of("the tests do not run as root");
  }
}
