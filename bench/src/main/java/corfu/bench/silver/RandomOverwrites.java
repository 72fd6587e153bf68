package corfu.bench.silver;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.fuse.linux.Errno;
import corfu.fuse.linux.FileCalls;
import corfu.fuse.linux.OpenFlags;
import corfu.fuse.linux.SystemCalls;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;

/** Calls by several threads, each with one call in flight, for a while. */
final class RandomOverwrites {

  static final int BYTES = 4096;
  private static final int OPEN_FLAGS =
      OpenFlags.WRITE_ONLY | OpenFlags.DIRECT | OpenFlags.CLOSE_ON_EXEC;
  private static final double NANOS_A_SECOND = 1e9;

  private final int threads;
  private final Duration round;
  private final RandomGenerator random;

  /**
   * @param random the source of offsets, for all threads
   */
  RandomOverwrites(int threads, Duration round, RandomGenerator random) {
    this.random = random;
    this.threads = threads;
    this.round = round;
  }

  /**
   * Overwrites blocks of a file. The descriptor is direct, as a database opens it: otherwise the
   * kernel lets one write of a file pass at a time. Returns writes a second.
   */
  double rate(Path file) throws Exception {
    long blocks = Files.size(file) / BYTES;
    try (Arena arena = Arena.ofShared()) {
      int fd = SystemCalls.open(file.toString().getBytes(UTF_8), OPEN_FLAGS, 0);
      if (fd < 0) {
        throw new IOException("cannot open %s: %s".formatted(file, Errno.of(fd)));
      }
      try {
        return rate(
            thread -> {
              MemorySegment block = arena.allocate(BYTES, BYTES);
              return () -> {
                block.set(ValueLayout.JAVA_LONG, 0, random.nextLong());
                return write(fd, block, random.nextLong(blocks) * BYTES);
              };
            });
      } finally {
        int unused = SystemCalls.close(fd);
      }
    }
  }

  private static long write(int fd, MemorySegment block, long offset) throws IOException {
    long written = FileCalls.writeAt(fd, block, BYTES, offset);
    if (written != BYTES) {
      throw new IOException("a write of %d bytes returned %d".formatted(BYTES, written));
    }
    return written;
  }

  /** Makes the calls of a thread. */
  @FunctionalInterface
  interface Calls {
    Callable<?> of(int thread);
  }

  /** Has each thread repeat its call. Returns calls a second. */
  double rate(Calls calls) throws Exception {
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      long begin = System.nanoTime();
      long end = begin + round.toNanos();
      List<Future<Long>> counts = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        Callable<?> call = calls.of(i);
        counts.add(pool.submit(() -> repeat(call, end)));
      }
      long all = 0;
      for (Future<Long> count : counts) {
        all += count.get();
      }
      return all * NANOS_A_SECOND / (System.nanoTime() - begin);
    }
  }

  private static long repeat(Callable<?> call, long end) throws Exception {
    long count = 0;
    while (System.nanoTime() < end) {
      Object unused = call.call();
      count++;
    }
    return count;
  }
}
