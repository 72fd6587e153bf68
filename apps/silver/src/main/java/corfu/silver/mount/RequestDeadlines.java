package corfu.silver.mount;

import corfu.runtime.CallScope;
import corfu.silver.Silver;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time by which each request of a mount ends. If the cluster is out of reach, later requests
 * fail sooner, so that a queue of them does not wait for one timeout after the other. Only a look
 * of its own tells the mount that, because a request may be slow for other reasons. Thread-safe.
 */
final class RequestDeadlines {

  private static final Logger LOG = LoggerFactory.getLogger(RequestDeadlines.class);

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
      call.end();
    }
  }

  /** As {@link #within}, without a value. */
  void run(Runnable request) {
    var unused =
        within(
            () -> {
              request.run();
              return true;
            });
  }

  boolean isOutage() {
    return isOutage;
  }

  /** The log has answered a look, or has not answered it in time. */
  void looked(boolean hasAnswered) {
    if (hasAnswered && isOutage) {
      LOG.info("The log answers the mount again");
    } else if (!hasAnswered && !isOutage) {
      LOG.warn("The log does not answer; requests of the mount fail with EIO until it does");
    }
    isOutage = !hasAnswered;
  }
}
