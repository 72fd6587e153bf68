package corfu.runtime.internal.rpc;

import corfu.runtime.UnavailableException;
import java.util.function.Supplier;

/**
 * The loop of retries of calls, reconfigurations and rebuilds. Each has its own {@link Policy},
 * which decides whether and when to retry.
 */
public final class Retry {

  private Retry() {}

  /** The reaction to a failed attempt. */
  @FunctionalInterface
  public interface Policy {

    /**
     * Prepares the next attempt: removes the cause of the failure if possible, and pauses. Called
     * on the thread of the attempts, once after each failed one.
     *
     * @throws UnavailableException if no attempt shall follow
     */
    void prepareNext(RetryableException failure);
  }

  /**
   * Makes attempts until one succeeds. Makes the first attempt in any case.
   *
   * @param attempt an attempt; only its {@link RetryableException}s lead to another one
   * @return the result of the successful attempt
   * @throws UnavailableException if the policy gives up
   */
  public static <T> T untilDone(Supplier<T> attempt, Policy policy) {
    while (true) {
      try {
        return attempt.get();
      } catch (RetryableException failure) {
        policy.prepareNext(failure);
      }
    }
  }
}
