package corfu.bench.harness;

import corfu.world.World;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * Requests at a steady rate, however long earlier ones take. If the client makes its caller wait
 * for room, requests become overdue. The loop turns these away, as a service with users would: it
 * counts them, but does not make them.
 */
public final class OpenLoop {

  private static final int DIGITS = 3;
  private static final double NANOS_A_SECOND = 1e9;
  private static final double MILLI = 1e6;

  /** A request that is overdue by more than this is turned away. */
  private static final long OVERDUE_NANOS = 20_000_000;

  /** The length of the loop's own pauses. */
  private static final long TICK_NANOS = 200_000;

  private final World world;
  private final Supplier<CompletableFuture<?>> request;

  public OpenLoop(World world, Supplier<CompletableFuture<?>> request) {
    this.world = world;
    this.request = request;
  }

  /**
   * The result of a load.
   *
   * @param turnedAway the number of requests that were not made, because the client had no room in
   *     time
   * @param seconds the time from the first request to the last reply
   * @param latencies the nanoseconds from the start of each request to its reply
   */
  public record Outcome(
      long done, long failed, long turnedAway, double seconds, Histogram latencies) {

    public double donePerSecond() {
      return done / seconds;
    }

    public double millis(double percentile) {
      return latencies.getValueAtPercentile(percentile) / MILLI;
    }
  }

  /** Offers this many requests a second for this long, and waits for the replies. */
  public Outcome run(double perSecond, Duration time) {
    Recorder latencies = new Recorder(DIGITS);
    AtomicLong failed = new AtomicLong();
    AtomicLong unanswered = new AtomicLong(1);
    CompletableFuture<Void> allAnswered = new CompletableFuture<>();
    Runnable answered =
        () -> {
          if (unanswered.decrementAndGet() == 0) {
            allAnswered.complete(null);
          }
        };
    long begin = world.nanoTime();
    long count = (long) (perSecond * time.toNanos() / NANOS_A_SECOND);
    long handedOver = 0;
    for (long i = 0; i < count; i++) {
      long due = begin + (long) (i * NANOS_A_SECOND / perSecond);
      long now = waitFor(due);
      if (now - due > OVERDUE_NANOS) {
        continue;
      }
      handedOver++;
      unanswered.incrementAndGet();
      var _ =
          request
              .get()
              .whenComplete(
                  (answer, reason) -> {
                    latencies.recordValue(Math.max(0, world.nanoTime() - now));
                    if (reason != null) {
                      failed.incrementAndGet();
                    }
                    answered.run();
                  });
    }
    answered.run();
    allAnswered.join();
    double seconds = (world.nanoTime() - begin) / NANOS_A_SECOND;
    return new Outcome(
        handedOver - failed.get(),
        failed.get(),
        count - handedOver,
        seconds,
        latencies.getIntervalHistogram());
  }

  private long waitFor(long due) {
    long now = world.nanoTime();
    while (now < due) {
      LockSupport.parkNanos(Math.max(TICK_NANOS, due - now));
      now = world.nanoTime();
    }
    return now;
  }
}
