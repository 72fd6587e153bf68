package corfu.bench.silver;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
    try (var channel =
        FileChannel.open(file, StandardOpenOption.WRITE, ExtendedOpenOption.DIRECT)) {
      long blocks = channel.size() / BYTES;
      return rate(
          thread -> {
            ByteBuffer block =
                ByteBuffer.allocateDirect(2 * BYTES).alignedSlice(BYTES).limit(BYTES);
            return () -> {
              block.clear().limit(BYTES).putLong(0, random.nextLong());
              return write(channel, block, random.nextLong(blocks) * BYTES);
            };
          });
    }
  }

  private static int write(FileChannel channel, ByteBuffer block, long offset) throws IOException {
    return channel.write(block, offset);
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
