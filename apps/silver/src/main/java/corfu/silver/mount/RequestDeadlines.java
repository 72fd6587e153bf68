package corfu.silver.mount;

import corfu.runtime.CallScope;
import corfu.silver.Silver;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * The time by which each request of a mount ends. If the cluster is out of reach, later requests
 * fail sooner, so that a queue of them does not wait for one timeout after the other. Thread-safe.
 */
final class RequestDeadlines {

  private static final int PART_IN_OUTAGE = 8;
  private static final Duration LEAST_IN_OUTAGE = Duration.ofSeconds(1);

  private final Silver silver;
  private final Duration usual;
  private final Duration inOutage;
  private volatile boolean isOutage;

  RequestDeadlines(Silver silver, Duration timeout) {
    this.silver = silver;
    this.usual = timeout;
    Duration part = timeout.dividedBy(PART_IN_OUTAGE);
    Duration least = LEAST_IN_OUTAGE.compareTo(timeout) < 0 ? LEAST_IN_OUTAGE : timeout;
    this.inOutage = part.compareTo(least) > 0 ? part : least;
  }

  /** Serves a request on this thread. All its questions to the log share one deadline. */
  <T> T within(Supplier<T> request) {
    CallScope call = silver.callWithin(isOutage ? inOutage : usual);
    try {
      return request.get();
    } finally {
      if (call.deadline().hasPassed()) {
        isOutage = true;
      }
      call.end();
    }
  }

  boolean isOutage() {
    return isOutage;
  }

  /** The log has answered. */
  void reached() {
    isOutage = false;
  }
}
