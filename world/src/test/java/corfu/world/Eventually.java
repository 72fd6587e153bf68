package corfu.world;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits in tests for a condition that other threads bring about. A test waits for an event instead
 * wherever there is one to wait for.
 */
public final class Eventually {

  /** However busy the machine is, other threads get to their work in this time. */
  public static final Duration DEADLINE = Duration.ofMinutes(2);

  private static final long SHORTEST_PAUSE_NANOS = Duration.ofMillis(1).toNanos();
  private static final long LONGEST_PAUSE_NANOS = Duration.ofMillis(20).toNanos();

  private Eventually() {}

  /** Assertions about the present, which fail until the condition holds. */
  @FunctionalInterface
  public interface Condition {
    void check() throws Exception;
  }

  /** Assertions about a value. */
  @FunctionalInterface
  public interface ConditionOf<T> {
    void check(T value) throws Exception;
  }

  /**
   * Returns when the assertions hold.
   *
   * @throws AssertionError if they still fail after two minutes, with the message of the last
   *     failure
   */
  public static void eventually(Condition condition) {
    eventually(DEADLINE, condition);
  }

  /**
   * Returns when the assertions hold.
   *
   * @param deadline the longest wait; the assertions are checked at least once
   * @throws AssertionError if they still fail then, with the message of the last failure
   */
  public static void eventually(Duration deadline, Condition condition) {
    eventually(
        deadline,
        () -> Boolean.TRUE, // of no use to these assertions
        unused -> condition.check());
  }

  /**
   * Gets the value again and again, and returns the first one for which the assertions hold.
   *
   * @throws AssertionError if they still fail after two minutes, with the message of the last
   *     failure
   */
  public static <T> T eventually(Callable<T> value, ConditionOf<T> condition) {
    return eventually(DEADLINE, value, condition);
  }

  /**
   * Gets the value again and again, and returns the first one for which the assertions hold.
   *
   * @param deadline the longest wait; the assertions are checked at least once
   * @throws AssertionError if they still fail then, with the message of the last failure
   */
  public static <T> T eventually(Duration deadline, Callable<T> value, ConditionOf<T> condition) {
    long start = System.nanoTime();
    long pause = SHORTEST_PAUSE_NANOS;
    while (true) {
      try {
        T current = value.call();
        condition.check(current);
        return current;
      } catch (AssertionError failure) {
        if (System.nanoTime() - start >= deadline.toNanos()) {
          throw new AssertionError(
              "not within %d ms: %s".formatted(deadline.toMillis(), failure.getMessage()), failure);
        }
      } catch (Exception failure) {
        throw new AssertionError("the condition cannot be checked: " + failure, failure);
      }
      LockSupport.parkNanos(pause);
      if (Thread.interrupted()) { // by the test's own time limit
        throw new AssertionError("interrupted while waiting");
      }
      pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
    }
  }
}
