package corfu.node;

import corfu.protocol.Endpoint;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Which layout servers have left a server's requests without a reply for too long. The network may
 * lose what comes back to a server while everything that it sends arrives. Nobody is served by it
 * then, so it must not count as alive: it gives no sign of life to whom it does not hear. Not
 * thread-safe.
 */
final class ReplyGaps {

  private final long longestNanos;

  /** When the oldest request was sent that nothing has answered since. */
  private final Map<Endpoint, Long> unansweredSince = new HashMap<>();

  /**
   * @param longest for which a layout server may be silent
   */
  ReplyGaps(Duration longest) {
    this.longestNanos = longest.toNanos();
  }

  /** A request is about to be sent. */
  void asking(Endpoint layoutServer, long nowNanos) {
    unansweredSince.putIfAbsent(layoutServer, nowNanos);
  }

  /** The layout server has replied, whatever it said. */
  void heard(Endpoint layoutServer) {
    unansweredSince.remove(layoutServer);
  }

  /** Whether it has been silent for too long. */
  boolean isTooLong(Endpoint layoutServer, long nowNanos) {
    Long since = unansweredSince.get(layoutServer);
    return since != null && nowNanos - since > longestNanos;
  }
}
