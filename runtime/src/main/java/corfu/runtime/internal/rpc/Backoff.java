package corfu.runtime.internal.rpc;

import corfu.runtime.Deadline;
import corfu.world.World;
import java.time.Duration;

/**
 * Pauses between tries: doubling from 1 ms to 100 ms, each drawn from its upper half, so that
 * clients do not march in step.
 */
public final class Backoff {

  private static final long FIRST_NANOS = 1_000_000;
  private static final long LONGEST_NANOS = 100_000_000;

  /** Most failures are over after so many pauses; until then they are at most this long. */
  private static final long LONGEST_SOON_NANOS = 40_000_000;

  private static final int SOON = 16;
  private static final long DECISION_NANOS = 4_000_000;
  private static final long DECISION_MAX_NANOS = 400_000_000;

  private final World world;
  private final Deadline deadline;
  private long nextNanos = FIRST_NANOS;
  private long decisionNanos;
  private int pauses;

  public Backoff(World world, Deadline deadline) {
    this.world = world;
    this.deadline = deadline;
  }

  /** What kept the tries from getting through is over. */
  public void startAgain() {
    nextNanos = FIRST_NANOS;
    decisionNanos = 0;
    pauses = 0;
  }

  public void pause() {
    pauseFor(nextNanos);
    pauses++;
    nextNanos = Math.min(2 * nextNanos, pauses < SOON ? LONGEST_SOON_NANOS : LONGEST_NANOS);
  }

  /**
   * The next epoch is being decided, which takes milliseconds: a short pause each time, unless that
   * has gone on for too long.
   */
  public void pauseForDecision() {
    if (decisionNanos < DECISION_MAX_NANOS) {
      pauseFor(DECISION_NANOS);
      decisionNanos += DECISION_NANOS;
    } else {
      pause();
    }
  }

  private void pauseFor(long longest) {
    long nanos = longest / 2 + world.random().nextLong(longest / 2 + 1);
    world.pause(Duration.ofNanos(deadline.remainingNanos(Duration.ofNanos(nanos))));
  }
}
