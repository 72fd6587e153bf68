package corfu.bench.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * Clients with a fixed number of in-flight requests each. A new request starts when an earlier one
 * ends. Each client makes at least one request, however late it begins.
 */
public final class ClosedLoop implements Workload {

  private final int clients;
  private final int depth;
  private final Request request;

  public ClosedLoop(int clients, int depth, Request request) {
    this.clients = clients;
    this.depth = depth;
    this.request = request;
  }

  /** A kind of request. Thread-safe. */
  public interface Request {

    /** Makes a request and waits for the reply. */
    void await();

    /** Makes a request without waiting for the reply. */
    CompletableFuture<?> start();

    /** Returns the number of operations in one request. */
    default int operations() {
      return 1;
    }
  }

  @Override
  public long run(long nanos, Recorder latencies) throws Exception {
    long deadline = System.nanoTime() + nanos;
    try (var threads = Executors.newFixedThreadPool(clients)) {
      List<Future<Long>> running = new ArrayList<>();
      for (int client = 0; client < clients; client++) {
        running.add(
            threads.submit(
                () -> depth == 1 ? oneByOne(deadline, latencies) : pipelined(deadline, latencies)));
      }
      long requests = 0;
      for (var client : running) {
        requests += client.get();
      }
      return requests * request.operations();
    }
  }

  private long oneByOne(long deadline, Recorder latencies) {
    long count = 0;
    long now = System.nanoTime();
    do {
      long start = now;
      request.await();
      now = System.nanoTime();
      latencies.recordValue(now - start);
      count++;
    } while (now < deadline);
    return count;
  }

  private long pipelined(long deadline, Recorder latencies) throws InterruptedException {
    var room = new Semaphore(depth);
    var failure = new AtomicReference<@Nullable Throwable>();
    long count = 0;
    do {
      room.acquire();
      long start = System.nanoTime();
      var _ =
          request
              .start()
              .whenComplete(
                  (answer, reason) -> {
                    latencies.recordValue(System.nanoTime() - start);
                    if (reason != null) {
                      failure.compareAndSet(null, reason);
                    }
                    room.release();
                  });
      count++;
    } while (System.nanoTime() < deadline && failure.get() == null);
    room.acquire(depth);
    Throwable reason = failure.get();
    if (reason != null) {
      throw new IllegalStateException("a request failed: " + reason.getMessage(), reason);
    }
    return count;
  }
}
