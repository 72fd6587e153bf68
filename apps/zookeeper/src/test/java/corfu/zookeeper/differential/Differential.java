package corfu.zookeeper.differential;

import corfu.zookeeper.subject.Subject;
import corfu.zookeeper.subject.SubjectOptions;
import corfu.zookeeper.subject.Subjects;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Runs the same programs on two services and compares the transcripts. Not thread-safe. */
final class Differential implements AutoCloseable {

  private final Observer first;
  private final Observer second;
  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  private int runs;

  /**
   * Makes a comparison of two services that have no nodes yet.
   *
   * @throws IOException if a service does not answer
   */
  Differential(Subject first, Subject second) throws IOException {
    this.first = new Observer(first);
    this.second = new Observer(second);
  }

  /**
   * Runs random programs until a difference or the number of operations.
   *
   * @param seed the seed of the first program; each further program has the next seed
   * @return the first difference, with a program that was made as short as possible
   */
  Optional<Difference> search(long seed, long operations) throws IOException {
    long done = 0;
    for (long next = seed; done < operations; next++) {
      Program program = ProgramGenerator.generate(next);
      Optional<Difference> difference = compare(next, program);
      if (difference.isPresent()) {
        return Optional.of(new Shrinker(this).shrink(difference.get()));
      }
      done += program.operations();
    }
    return Optional.empty();
  }

  /**
   * Runs the program on both services.
   *
   * @param seed the seed that made the program, for the report
   */
  Optional<Difference> compare(long seed, Program program) throws IOException {
    String prefix = "/r" + runs++;
    CompletableFuture<List<String>> other =
        CompletableFuture.supplyAsync(() -> transcript(program, second, prefix), threads);
    List<String> one =
        await(
            CompletableFuture.supplyAsync(() -> transcript(program, first, prefix), threads), seed);
    List<String> two = await(other, seed);
    return one.equals(two)
        ? Optional.empty()
        : Optional.of(new Difference(seed, program, one, two));
  }

  private static List<String> await(CompletableFuture<List<String>> run, long seed)
      throws IOException {
    try {
      return run.get();
    } catch (ExecutionException e) {
      throw new IOException("The program of seed " + seed + " failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted in the program of seed " + seed, e);
    }
  }

  private static List<String> transcript(Program program, Observer observer, String prefix) {
    try {
      observer.ping();
      return ProgramRun.run(program, observer, prefix);
    } catch (IOException e) {
      throw new UncheckedIOException(observer.subject() + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    first.close();
    second.close();
  }

  /**
   * Compares ZooKeeper with the other service until the first difference.
   *
   * @param args the seed of the first program, which is 1 if it is missing
   */
  public static void main(String[] args) throws IOException {
    long seed = args.length > 0 ? Long.parseLong(args[0]) : 1;
    long stride = 1000;
    try (Subject real = Subjects.REAL.start(SubjectOptions.DEFAULT);
        Subject other = Subjects.compared().start(SubjectOptions.DEFAULT);
        var differential = new Differential(real, other)) {
      long operations = 0;
      while (true) {
        long inStride = 0;
        for (long next = seed; next < seed + stride; next++) {
          Program program = ProgramGenerator.generate(next);
          Optional<Difference> difference = differential.compare(next, program);
          if (difference.isPresent()) {
            System.out.println(new Shrinker(differential).shrink(difference.get()));
            return;
          }
          inStride += program.operations();
        }
        operations += inStride;
        seed += stride;
        System.out.println(operations + " operations without a difference; next seed " + seed);
      }
    }
  }
}
