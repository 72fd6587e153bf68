package corfu.node.agent;

import java.time.Duration;
import java.util.Optional;

/**
 * Keeps from trying the same thing again and again: what has not helped is tried again after a
 * pause, which doubles each time; anything else at once. For one thread.
 */
final class Patience {

  private final long firstMillis;
  private final long longestMillis;

  private Optional<Object> tried = Optional.empty();
  private long pauseMillis;
  private long notBeforeMillis;

  /**
   * @param first the pause after the first try
   * @param longest the pause that no other exceeds
   */
  Patience(Duration first, Duration longest) {
    this.firstMillis = first.toMillis();
    this.longestMillis = longest.toMillis();
  }

  boolean allows(Object what, long nowMillis) {
    return !tried.equals(Optional.of(what)) || nowMillis >= notBeforeMillis;
  }

  /** It was tried, and things are as they were. Returns whether that is so for the first time. */
  boolean wasInVain(Object what, long nowMillis) {
    boolean fresh = !tried.equals(Optional.of(what));
    pauseMillis = fresh ? firstMillis : Math.min(2 * pauseMillis, longestMillis);
    notBeforeMillis = nowMillis + pauseMillis;
    tried = Optional.of(what);
    return fresh;
  }

  /** It has helped. */
  void helped() {
    tried = Optional.empty();
  }
}
