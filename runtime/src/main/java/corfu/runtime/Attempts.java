package corfu.runtime;

import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LostChainException;
import corfu.world.World;
import java.time.Duration;
import java.util.Optional;

/**
 * The one place where calls are tried again: with the newest layout, after a pause, until the
 * deadline. Thread-safe.
 */
final class Attempts {

  /** One try of something, under one layout. */
  @FunctionalInterface
  interface Attempt<T> {
    T under(Layout layout, Deadline deadline);
  }

  private final World world;
  private final Layouts layouts;
  private final Duration operationTimeout;
  private final Optional<LastResort> lastResort;

  /**
   * @param lastResort what is done when nothing gets through; empty: nothing
   */
  Attempts(
      World world, Layouts layouts, Duration operationTimeout, Optional<LastResort> lastResort) {
    this.world = world;
    this.layouts = layouts;
    this.operationTimeout = operationTimeout;
    this.lastResort = lastResort;
  }

  Deadline deadline() {
    return Deadline.in(world, operationTimeout);
  }

  /** The newest layout that is known. */
  Layout layout() {
    return layouts.current();
  }

  /**
   * Sees to what made a try fail, as far as that is possible at once; for those who try again
   * without end.
   */
  SetbackException mend(SetbackException setback) {
    return layouts.mend(setback, deadline());
  }

  /**
   * Tries until it works.
   *
   * @param what for the message: "read address 17"
   * @throws UnavailableException if it did not work by the deadline
   */
  <T> T untilDone(String what, Attempt<T> attempt) {
    return untilDone(what, deadline(), attempt);
  }

  <T> T untilDone(String what, Deadline deadline, Attempt<T> attempt) {
    Backoff backoff = new Backoff(world, deadline);
    long startNanos = world.nanoTime();
    while (true) {
      Layout layout = layouts.current();
      try {
        return tried(attempt, layout, deadline);
      } catch (SetbackException setback) {
        SetbackException remaining = layouts.mend(setback, deadline);
        if (!deadline.hasPassed()) {
          lastResort.ifPresent(
              resort -> layouts.adopt(resort.consider(startNanos, layouts.current())));
          boolean isNewEpoch = layout.epoch().isBefore(layouts.current().epoch());
          if (isNewEpoch) {
            backoff.startAgain(); // this is what was to be waited for
          } else if (remaining.kind() == SetbackException.Kind.SEALED) {
            backoff.pauseForDecision();
          } else {
            backoff.pause();
          }
        }
        if (deadline.hasPassed()) {
          throw unavailable(what, remaining);
        }
      }
    }
  }

  private static <T> T tried(Attempt<T> attempt, Layout layout, Deadline deadline) {
    try {
      return attempt.under(layout, deadline);
    } catch (LostChainException lost) {
      throw SetbackException.lost(lost);
    }
  }

  UnavailableException unavailable(String what, SetbackException last) {
    return new UnavailableException(
        "could not "
            + what
            + " within "
            + operationTimeout.toMillis()
            + " ms: "
            + last.getMessage());
  }
}
