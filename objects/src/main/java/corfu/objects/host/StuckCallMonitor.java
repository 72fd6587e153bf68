package corfu.objects.host;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after operations that take long, or never return: others go on beside them. Called under
 * the host's lock.
 */
final class StuckCallMonitor {

  private static final Logger LOG = LoggerFactory.getLogger(StuckCallMonitor.class);

  /** Calls go on elsewhere when one before them has been under way for so long. */
  private static final Duration LONG = Duration.ofMillis(5);

  /**
   * An operation makes no progress if it has met nothing new for this part of the time after which
   * it is stuck.
   */
  private static final int LULL_PART = 10;

  private final HostThreads hands;
  private final HostOptions options;
  private final AtomicLong stuckEver = new AtomicLong();

  StuckCallMonitor(HostThreads hands, HostOptions options) {
    this.hands = hands;
    this.options = options;
  }

  /** Returns how many operations have been stuck so far, whether or not they have returned. */
  long stuckEver() {
    return stuckEver.get();
  }

  /** Returns whether the calls of an object make progress. */
  boolean getsOn(CallQueue queue, long now) {
    return queue.getsOn(now, options.stuckAfter().toNanos() / LULL_PART);
  }

  /** Schedules the calls of an object on another thread if those that serve it take long. */
  void check(CallQueue queue, long now) {
    queue.forgetAnswered();
    boolean allAreLong = true;
    for (CallQueue.Work work : queue.workers()) {
      work.lookAt(queue.object(), now);
      boolean isLong = now - work.since > LONG.toNanos();
      allAreLong &= isLong;
      if (isLong && !work.isPlaying && !work.isLeftAlone) {
        work.isLeftAlone = true;
        hands.isLeftAlone();
      }
      if (!work.isReported && work.nanosWithoutProgress(now) > options.stuckAfter().toNanos()) {
        work.isReported = true;
        stuckEver.incrementAndGet();
        report(queue, work);
      }
    }
    if (queue.hasCalls()
        && allAreLong
        && queue.workers().size() < options.threadsPerObject()
        && (queue.hasReady() || !queue.isBeingPlayed())) {
      hands.schedule(queue);
    }
  }

  private void report(CallQueue queue, CallQueue.Work work) {
    LOG.warn(
        "{} of hosted object {} ({}) has not returned for {} s: it keeps a thread of the host's"
            + " {}; others go on",
        work.what,
        queue.key.stream(),
        queue.key.type(),
        options.stuckAfter().toSeconds(),
        options.threads());
  }
}
