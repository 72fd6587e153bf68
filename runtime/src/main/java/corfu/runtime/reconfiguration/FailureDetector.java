package corfu.runtime.reconfiguration;

import corfu.protocol.Endpoint;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Decides how long a server may be silent before it is suspected. The limit follows the longest gap
 * between two signs of life that one observer has seen lately: a quiet machine is suspected soon, a
 * busy one later, and none later than the configured limit. Thread-safe.
 */
final class FailureDetector {

  /** A silence is suspicious when it is so many times as long as the longest gap. */
  private static final double GAP_FACTOR = 2.5;

  /** The limit is never shorter: a sign of life may be lost once. */
  private static final long LIMIT_MIN_MILLIS = 150;

  /** So many gaps must have been seen before the limit falls below the configured one. */
  private static final int GAPS_MIN = 20;

  /** A gap counts for at least this time, and for at most twice as long. */
  private static final long WINDOW_MILLIS = 30_000;

  /** Pairs of observer and server that are remembered: those that were seen last. */
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

    /** A longer gap than the configured limit was a failure, and tells nothing of the others. */
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
   * @param longest the configured limit, which holds until enough signs have been seen
   */
  FailureDetector(Duration longest) {
    this.longestMillis = longest.toMillis();
  }

  /**
   * An observer has told when it heard of a server last.
   *
   * @param signMillis when that was, by the caller's clock
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

  /** How long the server may be silent at the observer, in milliseconds. */
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
