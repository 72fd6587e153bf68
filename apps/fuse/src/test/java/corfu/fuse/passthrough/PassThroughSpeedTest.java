package corfu.fuse.passthrough;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.fuse.linux.FileCalls;
import corfu.fuse.linux.FileStatus;
import corfu.fuse.linux.OpenFlags;
import corfu.fuse.linux.SystemCalls;
import corfu.fuse.testing.PassThroughMount;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Measures the pass-through beside its local directory, with one caller. Decision 38 has a run. */
@EnabledIfSystemProperty(named = "corfu.tests", matches = "long")
class PassThroughSpeedTest {

  private static final int SYNC_TYPE = 0x2000; // AT_STATX_FORCE_SYNC: the kernel always asks
  private static final int MEBIBYTE = 1 << 20;
  private static final int FILE_BYTES = 64 * MEBIBYTE;
  private static final long ROUND_NANOS = Duration.ofSeconds(4).toNanos();
  private static final double FEWEST_REQUESTS = 1_000;

  @TempDir private Path directory;

  @Test
  void thePassThroughServesThousandsOfRequestsEachSecond() throws IOException {
    try (PassThroughMount mounted = new PassThroughMount(directory, options -> options);
        Arena arena = Arena.ofConfined()) {
      for (Path path : new Path[] {mounted.source(), mounted.path()}) {
        Path file = path.resolve("file");
        Files.write(file, new byte[FILE_BYTES]);
        byte[] name = file.toString().getBytes(UTF_8);
        MemorySegment buffer = arena.allocate(MEBIBYTE, 4096);
        int fd = SystemCalls.open(name, OpenFlags.READ_WRITE, 0);

        double stats = rate(i -> stat(name, buffer));
        double writes = rate(i -> write(fd, buffer, 4096, i * 7919 % 16_384 * 4096));
        double blocks = rate(i -> write(fd, buffer, MEBIBYTE, i % 64 * MEBIBYTE));
        double creates = rate(i -> create(path, i));
        System.out.printf(
            "%s: %.0f stat/s, %.0f writes of 4 KiB/s, %.0f MiB/s written, %.0f creates/s%n",
            path.getFileName(), stats, writes, blocks, creates);

        assertThat(SystemCalls.close(fd)).isZero();
        assertThat(stats).isGreaterThan(FEWEST_REQUESTS);
        assertThat(writes).isGreaterThan(FEWEST_REQUESTS);
      }
    }
  }

  private static void stat(byte[] name, MemorySegment buffer) {
    int found =
        FileCalls.stat(FileCalls.CURRENT_DIRECTORY, name, SYNC_TYPE, FileStatus.ALL, buffer);
    assertThat(found).isZero();
  }

  private static void write(int fd, MemorySegment buffer, int bytes, long offset) {
    assertThat(FileCalls.writeAt(fd, buffer, bytes, offset)).isEqualTo(bytes);
  }

  private static void create(Path path, long number) {
    byte[] name = path.resolve("new-" + number).toString().getBytes(UTF_8);
    int fd = SystemCalls.open(name, OpenFlags.WRITE_ONLY | OpenFlags.CREATE, 0600);
    assertThat(SystemCalls.close(fd)).isZero();
    assertThat(FileCalls.unlink(FileCalls.CURRENT_DIRECTORY, name, 0)).isZero();
  }

  /** Returns calls per second in the last of two rounds. */
  private static double rate(LongConsumer call) {
    double rate = 0;
    long number = 0;
    for (int round = 0; round < 2; round++) {
      long start = System.nanoTime();
      long calls = 0;
      while (System.nanoTime() - start < ROUND_NANOS) {
        call.accept(number++);
        calls++;
      }
      rate = calls * 1e9 / (System.nanoTime() - start);
    }
    return rate;
  }
}
