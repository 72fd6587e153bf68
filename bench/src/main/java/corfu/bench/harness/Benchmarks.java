package corfu.bench.harness;

import corfu.bench.plot.Plot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** The steps that all benchmarks have in common. */
public final class Benchmarks {

  private Benchmarks() {}

  /** The code that measures. */
  @FunctionalInterface
  public interface Body {
    void run() throws Exception;
  }

  /**
   * Runs a benchmark to its end. An interrupt ends it early, and the thread stays interrupted.
   *
   * @throws IllegalStateException if the benchmark fails with a checked exception
   */
  public static void run(Body body) {
    try {
      body.run();
    } catch (RuntimeException e) {
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      throw new IllegalStateException("the benchmark failed: " + e.getMessage(), e);
    }
  }

  /**
   * Draws a picture and reports its points, so that it can be drawn again without measuring.
   *
   * @param file the SVG file; if empty, nothing is drawn and nothing is reported
   */
  public static void show(Plot plot, Optional<Path> file, Consumer<PartResult> results)
      throws IOException {
    if (file.isPresent()) {
      Files.writeString(file.get(), plot.toSvg());
      results.accept(new PartResult.Picture(plot));
    }
  }
}
