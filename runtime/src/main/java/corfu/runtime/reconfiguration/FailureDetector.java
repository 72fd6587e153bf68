package corfu.runtime.reconfiguration;

import corfu.protocol.Endpoint;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Decides how long a server may be silent before it is suspected. The limit follows the longest
 * recent gap between two signs of life at one observer. So a quiet machine is suspected soon, and a
 * busy one later. No server is suspected later than the configured limit. Thread-safe.
 */
final class FailureDetector {

  /** A silence is suspicious if it is this many times as long as the longest gap. */
  private static final double GAP_FACTOR = 2.5;

  /** The shortest limit: one sign of life may be lost. */
  private static final long LIMIT_MIN_MILLIS = 150;

  /** The number of gaps that must be seen before the limit falls below the configured one. */
  private static final int GAPS_MIN = 20;

  /** A gap counts for at least this time, and for at most twice as long. */
  private static final long WINDOW_MILLIS = 30_000;

  /** The most pairs of observer and server to remember: the ones seen last. */
  private static final int PAIRS_MAX = 4_096;

  private final long longestMillis;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Pair, Gaps> pairs =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Pair, Gaps> eldest) {
          return size() > PAIRS_MAX;
        }
      };

  private record Pair(Endpoint observer, Endpoint server) {}

  /** The gaps of one pair, in two windows: the current one and the one before. */
  private static final class Gaps {
    private long lastSignMillis;
    private int seen;
    private long windowStartMillis;
    private long longest;
    private long longestBefore;

    private Gaps(long signMillis) {
      this.lastSignMillis = signMillis;
      this.windowStartMillis = signMillis;
    }

    /**
     * Records a sign of life. A gap longer than the configured limit was a failure, and tells
     * nothing about ordinary gaps.
     */
    void sign(long atMillis, long limitMillis) {
      long gap = atMillis - lastSignMillis;
      if (gap <= 0) {
        return;
      }
      lastSignMillis = atMillis;
      if (gap > limitMillis) {
        return;
      }
      seen = Math.min(seen + 1, GAPS_MIN);
      if (atMillis - windowStartMillis > WINDOW_MILLIS) {
        longestBefore = longest;
        longest = 0;
        windowStartMillis = atMillis;
      }
      longest = Math.max(longest, gap);
    }

    long longest() {
      return Math.max(longest, longestBefore);
    }
  }

  /**
   * @param longest the configured limit, which holds until enough signs of life have been seen
   */
  FailureDetector(Duration longest) {
    this.longestMillis = longest.toMillis();
  }

  /**
   * Records when an observer last heard of a server.
   *
   * @param signMillis the time of that sign of life, by the caller's clock, in milliseconds
   */
  void observe(Endpoint observer, Endpoint server, long signMillis) {
    lock.lock();
    try {
      pairs
          .computeIfAbsent(new Pair(observer, server), fresh -> new Gaps(signMillis))
          .sign(signMillis, longestMillis);
    } finally {
      lock.unlock();
    }
  }

  /** Returns how long the server may be silent at the observer, in milliseconds. */
  long limitMillis(Endpoint observer, Endpoint server) {
    lock.lock();
    try {
      Gaps gaps = pairs.get(new Pair(observer, server));
      if (gaps == null || gaps.seen < GAPS_MIN) {
        return longestMillis;
      }
      long adapted = Math.round(gaps.longest() * GAP_FACTOR);
      return Math.min(longestMillis, Math.max(LIMIT_MIN_MILLIS, adapted));
    } finally {
      lock.unlock();
    }
  }
}
