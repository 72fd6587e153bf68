package corfu.node.agent;

import java.util.Optional;

/**
 * Keeps from trying the same thing again and again: what has not helped is tried again after a
 * pause, which doubles each time; anything else at once. For one thread.
 */
final class Patience {

  private static final long FIRST_MILLIS = 200;
  private static final long LONGEST_MILLIS = 10_000;

  private Optional<Object> tried = Optional.empty();
  private long pauseMillis;
  private long notBeforeMillis;

  boolean allows(Object what, long nowMillis) {
    return !tried.equals(Optional.of(what)) || nowMillis >= notBeforeMillis;
  }

  /** It was tried, and things are as they were. Returns whether that is so for the first time. */
  boolean wasInVain(Object what, long nowMillis) {
    boolean fresh = !tried.equals(Optional.of(what));
    pauseMillis = fresh ? FIRST_MILLIS : Math.min(2 * pauseMillis, LONGEST_MILLIS);
    notBeforeMillis = nowMillis + pauseMillis;
    tried = Optional.of(what);
    return fresh;
  }

  /** It has helped. */
  void helped() {
    tried = Optional.empty();
  }
}
