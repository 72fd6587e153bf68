package corfu.runtime;

import corfu.world.World;
import java.time.Duration;

/** By when a call must have ended. */
final class Deadline {

  private final World world;
  private final long atNanos;

  private Deadline(World world, long atNanos) {
    this.world = world;
    this.atNanos = atNanos;
  }

  static Deadline in(World world, Duration duration) {
    return new Deadline(world, world.nanoTime() + duration.toNanos());
  }

  boolean hasPassed() {
    return atNanos - world.nanoTime() <= 0;
  }

  /** What is left, at least one nanosecond, and no more than {@code cap}. */
  long remainingNanos(Duration cap) {
    return Math.max(1, Math.min(cap.toNanos(), atNanos - world.nanoTime()));
  }
}
