package corfu.bench.harness;

/** What all benchmarks have in common. */
public final class Benchmarks {

  private Benchmarks() {}

  /** What measures. */
  @FunctionalInterface
  public interface Body {
    void run() throws Exception;
  }

  /**
   * Runs it to its end. An interrupt ends it early, and stays set.
   *
   * @throws IllegalStateException if it failed with a checked exception
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
}
