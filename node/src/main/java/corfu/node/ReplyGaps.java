package corfu.node;

import corfu.protocol.Endpoint;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Finds the layout servers that have not replied to a server's requests for too long. The network
 * may lose the replies to a server, while all of its requests arrive. Such a server is useless to
 * clients, so it must not count as alive: it sends no sign of life to layout servers that it does
 * not hear. Not thread-safe.
 */
final class ReplyGaps {

  private final long longestNanos;

  /** The time of the oldest request since the last reply, by layout server. */
  private final Map<Endpoint, Long> unansweredSince = new HashMap<>();

  /**
   * @param longest the longest time for which a layout server may be silent
   */
  ReplyGaps(Duration longest) {
    this.longestNanos = longest.toNanos();
  }

  /** Records that a request is about to be sent. */
  void asking(Endpoint layoutServer, long nowNanos) {
    unansweredSince.putIfAbsent(layoutServer, nowNanos);
  }

  /** Records a reply of any kind from the layout server. */
  void heard(Endpoint layoutServer) {
    unansweredSince.remove(layoutServer);
  }

  /** Returns whether the layout server has been silent for too long. */
  boolean isTooLong(Endpoint layoutServer, long nowNanos) {
    Long since = unansweredSince.get(layoutServer);
    return since != null && nowNanos - since > longestNanos;
  }
}
