package corfu.fuse.mount;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.fuse.FileSystem;
import corfu.fuse.testing.FuseMachine;
import corfu.world.World;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

@Timeout(120)
class FuserMountTest {

  /** Runs a program as the user nobody. */
  private static final List<String> AS_NOBODY =
      List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");

  @TempDir private Path directory;

  /** The program works for root, too. */
  @Test
  void theProgramMountsAndPassesTheDevice() throws Exception {
    FuseMachine.requireFuserMount();
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
    FuserMount missing = new FuserMount(directory, "fusermount-that-nobody-has");
    assertThatThrownBy(() -> missing.mount(MountOptions.of("test")))
        .isInstanceOf(MountException.class)
        .hasMessageContaining("run as root, or install the package fuse3 (ENOENT)");
  }

  @Test
  void aMachineWithoutTheDeviceIsToldWhatToDo() {
    assertThatThrownBy(() -> Device.open("/dev/fuse-that-nobody-has"))
        .isInstanceOf(MountException.class)
        .hasMessageContaining("There is no /dev/fuse-that-nobody-has; load the kernel's module");
  }

  @Test
  void aUserWithoutPrivilegesMountsAndUnmounts() throws Exception {
    FuseMachine.requireUserMount();
    Path point = Files.createDirectory(directory.resolve("point"));
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.setAttribute(point, "unix:uid", 65534);

    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                readableClassPath(),
                UserMountingProcess.class.getName(),
                point.toString()));
    command.addAll(0, AS_NOBODY);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (var output = process.inputReader()) {
      assertThat(output.readLine()).isEqualTo("mounted");
      assertThat(asNobody("cat", point.resolve("file").toString())).isEqualTo("content");
      process.getOutputStream().close();
      assertThat(output.readLine()).isEqualTo("unmounted");
    }
    assertThat(process.waitFor()).isZero();
    assertThat(Files.readString(Path.of("/proc/mounts"))).doesNotContain(point.toString());
  }

  private static String asNobody(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(AS_NOBODY);
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  /** Copies the needed classes, because nobody may not read the directories of root. */
  private String readableClassPath() throws Exception {
    List<String> copies = new ArrayList<>();
    for (Class<?> type :
        List.of(UserMountingProcess.class, FileSystem.class, World.class, Logger.class)) {
      Path from = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
      Path to = directory.resolve("classes" + copies.size());
      copy(from, to);
      copies.add(to.toString());
    }
    return String.join(File.pathSeparator, copies);
  }

  private static void copy(Path from, Path to) throws IOException {
    List<Path> all;
    try (Stream<Path> walk = Files.walk(from)) {
      all = walk.toList();
    }
    for (Path each : all) {
      Path target = to.resolve(from.relativize(each).toString());
      Files.copy(each, target, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
