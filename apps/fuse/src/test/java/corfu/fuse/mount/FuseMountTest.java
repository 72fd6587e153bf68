package corfu.fuse.mount;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import corfu.fuse.linux.Errno;
import corfu.fuse.linux.OpenFlags;
import corfu.fuse.linux.SystemCalls;
import corfu.fuse.protocol.InitFlag;
import corfu.fuse.testing.FuseMachine;
import corfu.fuse.testing.OneFile;
import corfu.fuse.testing.PassThroughMount;
import corfu.world.RealWorld;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FuseMountTest {

  @TempDir private Path directory;
  private final RealWorld world = new RealWorld();
  private final OneFile fileSystem = new OneFile();

  @BeforeEach
  void thisMachineCanMount() {
    FuseMachine.require();
  }

  @AfterEach
  void endTheWorld() {
    world.close();
  }

  private FuseMount mount(Path point) throws MountException {
    return FuseMount.mount(world, fileSystem, point, MountOptions.of("test"));
  }

  private Path point() throws IOException {
    return Files.createDirectories(directory.resolve("mount"));
  }

  @Test
  void aMissingDirectoryIsNamed() {
    assertThatThrownBy(() -> mount(directory.resolve("absent")))
        .isInstanceOf(MountException.class)
        .hasMessageContaining("absent does not exist; create the directory (ENOENT)");
  }

  @Test
  void aFileIsNoMountPoint() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));

    assertThatThrownBy(() -> mount(file)).hasMessageContaining("is not a directory");
  }

  @Test
  void aDirectoryWithFilesIsNoMountPoint() throws IOException {
    Files.createFile(point().resolve("file"));

    assertThatThrownBy(() -> mount(point())).hasMessageContaining("is not empty");
    MountOptions options =
        MountOptions.of("test").with(new MountOptions.Access(true, true, false, true));
    try (FuseMount mounted = FuseMount.mount(world, fileSystem, point(), options)) {
      assertThat(mounted.mountPoint().resolve("file")).hasContent("content");
    }
  }

  @Test
  void aMountPointIsUsedOnce() throws IOException {
    try (FuseMount mounted = mount(point())) {
      assertThatThrownBy(() -> mount(mounted.mountPoint()))
          .hasMessageContaining("Something is mounted on");
    }
  }

  @Test
  void aMountInUseIsNotUnmounted() throws IOException {
    FuseMount mounted = mount(point());
    int fd = SystemCalls.open(point().resolve("file").toString().getBytes(UTF_8), 0, 0);

    assertThatThrownBy(mounted::unmount).hasMessageContaining("Processes use files");
    assertThat(SystemCalls.close(fd)).isZero();
    mounted.unmount();
    assertThat(mounted.end()).isDone();
    assertThat(mounted.threads()).isZero();
    assertThat(fileSystem.isUnmounted()).isTrue();
  }

  @Test
  void closingAMountInUseAbortsIt() throws IOException {
    FuseMount mounted = mount(point());
    int fd =
        SystemCalls.open(
            point().resolve("file").toString().getBytes(UTF_8), OpenFlags.CLOSE_ON_EXEC, 0);
    mounted.close();

    assertThat(fd).isNotNegative();
    assertThat(mounted.end()).isDone();
    assertThat(point().resolve("file")).doesNotExist();
    assertThat(SystemCalls.close(fd)).isEqualTo(-Errno.ENOTCONN.code());
  }

  @Test
  void anotherProgramMayUnmount() throws Exception {
    FuseMount mounted = mount(point());
    assertThat(new ProcessBuilder("umount", point().toString()).start().waitFor()).isZero();

    mounted.end().join();
    mounted.close();
    assertThat(mounted.threads()).isZero();
  }

  @Test
  void nothingIsUnmountedWhereNothingIsMounted() throws IOException {
    Path point = point();

    assertThatThrownBy(() -> FuseMount.unmount(point, false))
        .hasMessageContaining("Nothing is mounted on");
  }

  @Test
  void theMountOfADeadProcessIsNamedAndUnmounted() throws Exception {
    Path point = point();
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                MountingProcess.class.getName(),
                point.toString())
            .start();
    try (var output = process.inputReader()) {
      assertThat(output.readLine()).isEqualTo("mounted");
      assertThat(point.resolve("file")).hasContent("content");
    }
    process.destroyForcibly().waitFor();

    assertThatThrownBy(() -> mount(point)).hasMessageContaining("has ended; unmount it first");
    FuseMount.unmount(point, true);
    try (FuseMount mounted = mount(point)) {
      assertThat(mounted.mountPoint().resolve("file")).hasContent("content");
    }
  }

  @Test
  void aReadOnlyMountRefusesChanges() throws IOException {
    MountOptions options =
        MountOptions.of("test").with(new MountOptions.Access(true, true, true, false));
    try (FuseMount mounted = FuseMount.mount(world, fileSystem, point(), options)) {
      assertThatThrownBy(() -> Files.createFile(mounted.mountPoint().resolve("new")))
          .isInstanceOf(FileSystemException.class)
          .hasMessageContaining("Read-only");
    }
  }

  @Test
  void theKernelAcceptsTheFeaturesThatBothHave() throws IOException {
    MountOptions options =
        MountOptions.of("test")
            .with(InitFlag.WRITEBACK_CACHE)
            .without(InitFlag.READDIRPLUS)
            .with(new MountOptions.Transfer(65_536, 0, 65_536, 8));
    try (FuseMount mounted = FuseMount.mount(world, fileSystem, point(), options)) {
      assertThat(mounted.negotiated().flags())
          .contains(InitFlag.WRITEBACK_CACHE)
          .doesNotContain(InitFlag.READDIRPLUS);
      assertThat(mounted.negotiated().maxWrite()).isEqualTo(65_536);
      assertThat(mounted.negotiated().minor()).isBetween(31, 45);
    }
  }

  @Test
  void theKernelReadsAsFarAheadAsTheOptionsSay() throws IOException {
    MountOptions options =
        MountOptions.of("test").with(new MountOptions.Transfer(1 << 20, 0, 3 << 20, 8));
    try (FuseMount mounted = FuseMount.mount(world, fileSystem, point(), options)) {
      String mount =
          Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
              .filter(line -> line.contains(" " + mounted.mountPoint() + " "))
              .findFirst()
              .orElseThrow();
      Path value = Path.of("/sys/class/bdi", mount.split(" ")[2], "read_ahead_kb");
      assumeTrue(Files.isWritable(value), "sysfs is read-only here, so the kernel's limit stays");

      assertThat(value).hasContent("3072");
    }
  }

  @Test
  void aFailingFileSystemGivesItsCallersAnError() throws IOException {
    try (FuseMount mounted = mount(point())) {
      fileSystem.failReads();

      assertThatThrownBy(() -> Files.readString(mounted.mountPoint().resolve("file")))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Input/output error");
      assertThat(mounted.mountPoint().resolve("file")).exists();
    }
  }

  @Test
  void slowRequestsDoNotStopOthers() throws IOException {
    try (FuseMount mounted = mount(point())) {
      fileSystem.blockReads();
      List<CompletableFuture<String>> slow =
          List.of(readLater(mounted), readLater(mounted), readLater(mounted));
      fileSystem.awaitReads(1);

      assertThat(Files.size(mounted.mountPoint().resolve("file"))).isEqualTo(7);
      fileSystem.unblockReads();
      assertThat(slow).allSatisfy(read -> assertThat(read.join()).isEqualTo("content"));
    }
  }

  private static CompletableFuture<String> readLater(FuseMount mounted) {
    CompletableFuture<String> read = new CompletableFuture<>();
    Thread.ofPlatform()
        .start(
            () -> {
              try {
                read.complete(Files.readString(mounted.mountPoint().resolve("file")));
              } catch (IOException e) {
                read.completeExceptionally(new UncheckedIOException(e));
              }
            });
    return read;
  }

  @Test
  void aSignalReachesTheFileSystem() throws Exception {
    try (FuseMount mounted = mount(point())) {
      fileSystem.blockReads();
      Process reader =
          new ProcessBuilder("cat", mounted.mountPoint().resolve("file").toString()).start();
      fileSystem.awaitReads(1);
      reader.destroy();

      fileSystem.awaitInterrupt();
      assertThat(reader.waitFor()).isNotZero();
    }
  }

  /** Otherwise the process would wait for the lock for ever, even if it is killed. */
  @Test
  void aSignalThatComesBeforeALockWaitsEndsTheWait() throws Exception {
    try (FuseMount mounted = mount(point())) {
      String file = mounted.mountPoint().resolve("file").toString();
      Process locking = new ProcessBuilder("flock", file, "true").start();
      fileSystem.awaitLock();
      locking.destroy();

      assertThat(locking.waitFor()).isNotZero();
    }
  }

  @Test
  void aNotificationDropsCachedDataAndNames() throws IOException {
    try (FuseMount mounted = mount(point())) {
      Path file = mounted.mountPoint().resolve("file");
      assertThat(file).hasContent("content");
      fileSystem.change("changed!");
      assertThat(Files.size(file)).as("cached").isEqualTo(7);

      fileSystem.invalidate(mounted.kernel());
      assertThat(Files.size(file)).isEqualTo(8);
      assertThat(file).hasContent("changed!");
    }
  }

  @Test
  void aRepositoryIsCloned() throws Exception {
    assumeTrue(hasGit(), "git is not installed");
    try (PassThroughMount mounted = new PassThroughMount(directory, options -> options)) {
      Path origin = directory.resolve("origin");
      run(directory, "git", "init", "-q", origin.toString());
      for (int i = 0; i < 200; i++) {
        Path file = origin.resolve("d" + i % 10 + "/file-" + i);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "line\n".repeat(i));
      }
      run(origin, "git", "add", ".");
      run(
          origin,
          "git",
          "-c",
          "user.name=a",
          "-c",
          "user.email=a@example.org",
          "commit",
          "-qm",
          "x");
      Path clone = mounted.path().resolve("clone");
      run(directory, "git", "clone", "-q", origin.toString(), clone.toString());

      run(clone, "git", "fsck", "--full");
      assertThat(run(clone, "git", "status", "--porcelain")).isEmpty();
      assertThat(clone.resolve("d9/file-199")).hasContent("line\n".repeat(199));
    }
  }

  private static boolean hasGit() {
    try {
      return new ProcessBuilder("git", "--version").start().waitFor() == 0;
    } catch (IOException | InterruptedException e) {
      return false;
    }
  }

  private static String run(Path where, String... command) throws Exception {
    Process process =
        new ProcessBuilder(command).directory(where.toFile()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as("%s: %s", List.of(command), output).isZero();
    return output;
  }
}
