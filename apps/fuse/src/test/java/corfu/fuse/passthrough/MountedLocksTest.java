package corfu.fuse.passthrough;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.fuse.linux.Errno;
import corfu.fuse.linux.FileCalls;
import corfu.fuse.linux.OpenFlags;
import corfu.fuse.linux.SystemCalls;
import corfu.fuse.testing.PassThroughMount;
import corfu.world.Eventually;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Locks of a mounted file system exclude processes, and a signal ends the wait for one. */
class MountedLocksTest {

  private static final int EXCLUSIVE = 2;
  private static final int NOT_BLOCKING = 4;
  private static final int UNLOCK = 8;
  private static final int SET_LOCK = 6;

  @TempDir private Path directory;
  private PassThroughMount mounted;
  private Path file;

  @BeforeEach
  void mountIt() throws IOException {
    mounted = new PassThroughMount(directory, options -> options);
    file = Files.createFile(mounted.path().resolve("file"));
  }

  @AfterEach
  void unmountIt() throws IOException {
    if (mounted != null) {
      mounted.close();
    }
  }

  private int open() {
    int fd =
        SystemCalls.open(
            file.toString().getBytes(UTF_8), OpenFlags.READ_WRITE | OpenFlags.CLOSE_ON_EXEC, 0);
    assertThat(fd).isNotNegative();
    return fd;
  }

  @Test
  void aLockOfTheWholeFileExcludesOtherDescriptors() {
    int one = open();
    int other = open();

    assertThat(FileCalls.lockFile(one, EXCLUSIVE)).isZero();
    assertThat(FileCalls.lockFile(other, EXCLUSIVE | NOT_BLOCKING)).isEqualTo(-Errno.EAGAIN.code());
    int closed = SystemCalls.close(one);
    assertThat(closed).isZero();
    assertThat(FileCalls.lockFile(other, EXCLUSIVE)).isZero();
    assertThat(SystemCalls.close(other)).isZero();
  }

  @Test
  void aWaitingDescriptorGetsTheLockWhenItIsFree() {
    int one = open();
    int other = open();
    assertThat(FileCalls.lockFile(one, EXCLUSIVE)).isZero();
    long before = mounted.mount().counters().requests();
    CompletableFuture<Integer> waiting = new CompletableFuture<>();
    Thread.ofPlatform().start(() -> waiting.complete(FileCalls.lockFile(other, EXCLUSIVE)));
    Eventually.eventually(
        () -> assertThat(mounted.mount().counters().requests()).isGreaterThan(before));

    assertThat(waiting).isNotDone();
    assertThat(FileCalls.lockFile(one, UNLOCK)).isZero();
    assertThat(waiting.join()).isZero();
    assertThat(SystemCalls.close(one) + SystemCalls.close(other)).isZero();
  }

  @Test
  void aSignalEndsTheWaitForALock() throws Exception {
    int fd = open();
    assertThat(FileCalls.lockFile(fd, EXCLUSIVE)).isZero();
    long before = mounted.mount().counters().requests();
    Process waiting = new ProcessBuilder("flock", file.toString(), "true").start();
    Eventually.eventually(
        () -> assertThat(mounted.mount().counters().requests()).isGreaterThan(before + 1));
    waiting.destroy();

    assertThat(waiting.waitFor()).isNotZero();
    assertThat(FileCalls.lockFile(fd, UNLOCK)).isZero();
    assertThat(new ProcessBuilder("flock", "-n", file.toString(), "true").start().waitFor())
        .isZero();
    assertThat(SystemCalls.close(fd)).isZero();
  }

  /**
   * Asks for locks of byte ranges in another process, because those of one process never conflict.
   */
  @Test
  void locksOfByteRangesExcludeOtherProcesses() throws Exception {
    int fd = open();
    assertThat(setLock(fd, 1, 0, 10)).isZero();

    assertThat(otherProcess(5)).isEqualTo("refused");
    assertThat(otherProcess(10)).isEqualTo("locked");
    assertThat(setLock(fd, 2, 0, 10)).isZero();
    assertThat(otherProcess(5)).isEqualTo("locked");
    assertThat(setLock(fd, 1, 0, 10)).isZero();
    assertThat(SystemCalls.close(fd)).isZero();
    assertThat(otherProcess(5)).as("a close gives the locks back").isEqualTo("locked");
  }

  /** struct flock: type 2 | whence 2 | padding 4 | start 8 | length 8 | pid 4. */
  private static int setLock(int fd, int type, long start, long length) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment lock = arena.allocate(32, 8);
      lock.set(JAVA_SHORT, 0, (short) type);
      lock.set(JAVA_LONG, 8, start);
      lock.set(JAVA_LONG, 16, length);
      lock.set(JAVA_INT, 24, 0);
      return FileCalls.control(fd, SET_LOCK, lock);
    }
  }

  private String otherProcess(long offset) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                LockingProcess.class.getName(),
                file.toString(),
                Long.toString(offset))
            .redirectErrorStream(true)
            .start();
    try (BufferedReader output = process.inputReader()) {
      String line = output.readLine();
      assertThat(process.waitFor()).as(line).isZero();
      return line;
    }
  }
}
