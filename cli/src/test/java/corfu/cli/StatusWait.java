package corfu.cli;

import static corfu.world.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.function.Supplier;

/** Waits until a cluster's status is what it should become. */
public final class StatusWait {

  /** A cluster on a busy machine has got there by then. */
  private static final Duration LONGEST = Duration.ofMinutes(3);

  private StatusWait() {}

  /** Looks until the exit status is this, and the output has the text; fails with the last look. */
  public static Ran until(int code, String text, Supplier<Ran> look) {
    return eventually(
        LONGEST,
        look::get,
        status -> {
          assertThat(status.status()).as("exit status with %s", status.out()).isEqualTo(code);
          assertThat(status.out()).contains(text);
        });
  }
}
