package corfu.fuse.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import corfu.fuse.testing.FuseMachine;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program works for root, too, so the test needs no other user. */
class FuserMountTest {

  @TempDir private Path directory;

  private static boolean isInstalled() {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(path -> Files.isExecutable(Path.of(path, "fusermount3")));
  }

  @Test
  void theProgramMountsAndPassesTheDevice() throws Exception {
    FuseMachine.require();
    assumeTrue(isInstalled(), "fusermount3 is not installed");
    FuserMount program = new FuserMount(directory);
    Device device = program.mount(MountOptions.of("test"));

    assertThat(device.fd()).isNotNegative();
    assertThat(Files.readString(Path.of("/proc/mounts")))
        .contains("test " + directory + " fuse.corfu");
    device.close();
    program.unmount(true);
    assertThat(Files.readString(Path.of("/proc/mounts"))).doesNotContain(directory.toString());
  }

  @Test
  void aMachineWithoutTheProgramIsToldWhatToInstall() {
    assumeTrue(!isInstalled(), "fusermount3 is installed");

    assertThatThrownBy(() -> new FuserMount(directory).mount(MountOptions.of("test")))
        .isInstanceOf(MountException.class)
        .hasMessageContaining("run as root, or install the package fuse3 (ENOENT)");
  }
}
