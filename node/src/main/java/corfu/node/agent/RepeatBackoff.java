package corfu.node.agent;

import java.time.Duration;
import java.util.Optional;

/**
 * Delays repeated tries of the same thing: a useless one is tried again after a pause that doubles
 * each time, anything else at once. For one thread.
 */
final class RepeatBackoff {

  private final long firstMillis;
  private final long longestMillis;

  private Optional<Object> tried = Optional.empty();
  private long pauseMillis;
  private long notBeforeMillis;

  /**
   * @param first the pause after the first try
   * @param longest the longest pause
   */
  RepeatBackoff(Duration first, Duration longest) {
    this.firstMillis = first.toMillis();
    this.longestMillis = longest.toMillis();
  }

  boolean allows(Object what, long nowMillis) {
    return !tried.equals(Optional.of(what)) || nowMillis >= notBeforeMillis;
  }

  /** Records a try that has changed nothing. Returns whether it is the first one. */
  boolean wasInVain(Object what, long nowMillis) {
    boolean fresh = !tried.equals(Optional.of(what));
    pauseMillis = fresh ? firstMillis : Math.min(2 * pauseMillis, longestMillis);
    notBeforeMillis = nowMillis + pauseMillis;
    tried = Optional.of(what);
    return fresh;
  }

  /** Records a try that has helped. */
  void helped() {
    tried = Optional.empty();
  }
}
