package corfu.runtime.internal.rpc;

import corfu.runtime.Deadline;
import corfu.world.World;
import java.time.Duration;

/**
 * Pauses between attempts. They double from 1 ms to 100 ms. Each is random within its upper half,
 * so that clients do not retry in step.
 */
public final class Backoff {

  private static final long FIRST_NANOS = 1_000_000;
  private static final long LONGEST_NANOS = 100_000_000;

  /**
   * The longest pause among the first ones. Most failures are over after this many pauses: {@link
   * #SOON}.
   */
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

  /** Resets the pauses, because the cause of the failures is gone. */
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
   * Pauses while the next epoch is being decided, which lasts milliseconds. The pause is short each
   * time, unless the decision lasts for too long.
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
