package corfu.peers.load;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * The ways to append, which are the same for every system. Each appends at least once, even if the
 * machine starts it late.
 */
final class LoadLoops {

  private static final int DIGITS = 3;

  /**
   * The bound on in-flight appends under an offered load. Further appends wait, and the wait is
   * part of their latency.
   */
  private static final int MOST_UNDER_WAY = 1 << 14;

  private LoadLoops() {}

  /** Makes one append at a time. */
  static LoadResult lone(PeerAppender appender, Duration time) throws Exception {
    var latencies = new Recorder(DIGITS);
    long begin = System.nanoTime();
    long now = begin;
    do {
      long start = now;
      appender.await();
      now = System.nanoTime();
      latencies.recordValue(now - start);
    } while (now - begin < time.toNanos());
    return observed(latencies, now - begin);
  }

  /**
   * Keeps a constant number of in-flight appends: each new append starts when an earlier one ends.
   */
  static LoadResult flood(PeerAppender appender, int depth, Duration time) throws Exception {
    var running = new Running(depth);
    long begin = System.nanoTime();
    do {
      running.admit();
      running.start(appender, System.nanoTime());
    } while (System.nanoTime() - begin < time.toNanos());
    running.awaitAll();
    return observed(running.latencies, System.nanoTime() - begin);
  }

  /**
   * Starts appends at a fixed rate, however long earlier ones take. If the system or this loop is
   * late, the delay is part of the append's latency.
   */
  static LoadResult offered(PeerAppender appender, long perSecond, Duration time) throws Exception {
    var running = new Running(MOST_UNDER_WAY);
    double interval = 1e9 / perSecond;
    long count = Math.max(1, (long) (time.toNanos() / interval));
    long begin = System.nanoTime();
    for (long i = 0; i < count; i++) {
      long due = begin + (long) (i * interval);
      for (long now = System.nanoTime(); now < due; now = System.nanoTime()) {
        LockSupport.parkNanos(due - now);
      }
      running.admit();
      running.start(appender, due);
    }
    running.awaitAll();
    return observed(running.latencies, System.nanoTime() - begin);
  }

  private static LoadResult observed(Recorder latencies, long nanos) {
    var histogram = latencies.getIntervalHistogram();
    return new LoadResult(
        histogram.getTotalCount(),
        nanos,
        histogram.getValueAtPercentile(50),
        histogram.getValueAtPercentile(99));
  }

  /** The in-flight appends, and the results of the earlier ones. */
  private static final class Running {

    private final int most;
    private final Semaphore room;
    private final Recorder latencies = new Recorder(DIGITS);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    Running(int most) {
      this.most = most;
      this.room = new Semaphore(most);
    }

    void admit() throws InterruptedException {
      room.acquire();
      refuseIfOneFailed();
    }

    void start(PeerAppender appender, long since) throws Exception {
      var _ =
          appender
              .start()
              .whenComplete(
                  (answer, reason) -> {
                    if (reason == null) {
                      latencies.recordValue(Math.max(0, System.nanoTime() - since));
                    } else {
                      failure.compareAndSet(null, reason);
                    }
                    room.release();
                  });
    }

    void awaitAll() throws InterruptedException {
      room.acquire(most);
      refuseIfOneFailed();
    }

    private void refuseIfOneFailed() {
      Throwable reason = failure.get();
      if (reason != null) {
        throw new IllegalStateException("an append failed: " + reason, reason);
      }
    }
  }
}
