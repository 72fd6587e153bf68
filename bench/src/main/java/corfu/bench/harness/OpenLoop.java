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
 * Requests that come at a steady rate, however long earlier ones take. Where the client keeps its
 * caller waiting for room, those that become overdue meanwhile are turned away, as a service would
 * that has users: they count, and are not made.
 */
public final class OpenLoop {

  private static final int DIGITS = 3;
  private static final double NANOS_A_SECOND = 1e9;
  private static final double MILLI = 1e6;

  /** What is later than that is turned away. */
  private static final long OVERDUE_NANOS = 20_000_000;

  /** The loop's own pauses. */
  private static final long TICK_NANOS = 200_000;

  private final World world;
  private final Supplier<CompletableFuture<?>> request;

  public OpenLoop(World world, Supplier<CompletableFuture<?>> request) {
    this.world = world;
    this.request = request;
  }

  /**
   * What came of a load.
   *
   * @param turnedAway were not made, because the client had no room for them in time
   * @param seconds from the first request to the last answer
   * @param latencies in nanoseconds, from when each was handed over
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

  /** Offers so many a second for so long, and waits for the answers. */
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
