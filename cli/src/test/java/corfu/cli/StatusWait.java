package corfu.cli;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.world.RealWorld;
import java.time.Duration;
import java.util.function.Supplier;

/** Waits until a cluster's status is what it should become. */
public final class StatusWait {

  private static final Duration POLL = Duration.ofMillis(100);

  /** A cluster on a busy machine has got there by then. */
  private static final Duration LONGEST = Duration.ofMinutes(3);

  private StatusWait() {}

  /** Looks until the exit status is this, and the output has the text; fails with the last look. */
  public static Ran until(int code, String text, Supplier<Ran> look) {
    try (var world = new RealWorld()) {
      long started = world.nanoTime();
      Ran status = look.get();
      while (status.status() != code || !status.out().contains(text)) {
        assertThat(world.millisSince(started))
            .as("status %d, with %s, in place of %d: %s", code, text, status.status(), status.out())
            .isLessThan(LONGEST.toMillis());
        world.pause(POLL);
        status = look.get();
      }
      return status;
    }
  }
}
