package corfu.runtime;

import corfu.world.World;
import java.time.Duration;

/**
 * Pauses between tries: doubling from 1 ms to 100 ms, each drawn from its upper half, so that
 * clients do not march in step.
 */
final class Backoff {

  private static final long FIRST_NANOS = 1_000_000;
  private static final long LONGEST_NANOS = 100_000_000;

  private final World world;
  private final Deadline deadline;
  private long nextNanos = FIRST_NANOS;

  Backoff(World world, Deadline deadline) {
    this.world = world;
    this.deadline = deadline;
  }

  /** What kept the tries from getting through is over. */
  void startAgain() {
    nextNanos = FIRST_NANOS;
  }

  void pause() {
    long nanos = nextNanos / 2 + world.random().nextLong(nextNanos / 2 + 1);
    nextNanos = Math.min(2 * nextNanos, LONGEST_NANOS);
    world.pause(Duration.ofNanos(deadline.remainingNanos(Duration.ofNanos(nanos))));
  }
}
