package corfu.bench.silver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that create small files, look at their attributes, and remove them. */
final class SmallFiles {

  /** A pass-through mount keeps a descriptor for each file that the kernel knows. */
  private static final int MAX_FILES = 12_000;

  private static final byte[] CONTENT = new byte[100];
  private static final double NANOS_A_SECOND = 1e9;

  private final int threads;
  private final Duration round;

  SmallFiles(int threads, Duration round) {
    this.threads = threads;
    this.round = round;
  }

  /** The rates of a turn, in files a second. */
  record Rates(double creates, double stats, double unlinks) {}

  /** Creates as many files as the time permits, then looks at all of them, then removes them. */
  Rates turn(Path directory, int number) throws Exception {
    List<Path> own = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      own.add(Files.createDirectory(directory.resolve("turn-%d-%d".formatted(number, i))));
    }
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      long end = System.nanoTime() + round.toNanos();
      List<Integer> counts = new ArrayList<>();
      double creates = phase(pool, own, counts, (path, unused) -> createUntil(path, end));
      double stats = phase(pool, own, new ArrayList<>(counts), SmallFiles::statAll);
      double unlinks = phase(pool, own, new ArrayList<>(counts), SmallFiles::unlinkAll);
      for (Path path : own) {
        Files.delete(path);
      }
      return new Rates(creates, stats, unlinks);
    }
  }

  /** A part of a turn; gets the thread's directory and files, and returns the number of files. */
  @FunctionalInterface
  private interface Phase {
    int run(Path directory, int files) throws IOException;
  }

  private static double phase(
      ExecutorService pool, List<Path> own, List<Integer> counts, Phase phase) throws Exception {
    long begin = System.nanoTime();
    List<Future<Integer>> running = new ArrayList<>();
    for (int i = 0; i < own.size(); i++) {
      Path directory = own.get(i);
      int files = counts.isEmpty() ? 0 : counts.get(i);
      running.add(pool.submit(() -> phase.run(directory, files)));
    }
    counts.clear();
    int all = 0;
    for (Future<Integer> each : running) {
      counts.add(each.get());
      all += each.get();
    }
    return all * NANOS_A_SECOND / (System.nanoTime() - begin);
  }

  private int createUntil(Path directory, long end) throws IOException {
    int files = 0;
    while (System.nanoTime() < end && files < MAX_FILES / threads) {
      Path unused = Files.write(directory.resolve("f" + files++), CONTENT);
    }
    return files;
  }

  private static int statAll(Path directory, int files) throws IOException {
    for (int i = 0; i < files; i++) {
      var seen = Files.readAttributes(directory.resolve("f" + i), BasicFileAttributes.class);
      if (seen.size() != CONTENT.length) {
        throw new IllegalStateException("a small file has %d bytes".formatted(seen.size()));
      }
    }
    return files;
  }

  private static int unlinkAll(Path directory, int files) throws IOException {
    for (int i = 0; i < files; i++) {
      Files.delete(directory.resolve("f" + i));
    }
    return files;
  }
}
