package corfu.bench.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** Work before a measurement. */
public final class Preload {

  private Preload() {}

  /**
   * Runs a step a number of times, on several threads.
   *
   * @param step receives 0, 1, ...
   */
  public static void with(int threads, int times, IntConsumer step) throws Exception {
    var next = new AtomicInteger();
    try (var pool = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        running.add(
            pool.submit(
                () -> {
                  for (int at = next.getAndIncrement(); at < times; at = next.getAndIncrement()) {
                    step.accept(at);
                  }
                }));
      }
      for (Future<?> each : running) {
        each.get();
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException failure ? failure : e;
    }
  }
}
