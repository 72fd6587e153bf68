package corfu.node;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * Decides which changes of a server's lease are logged. On a busy machine a lease is renewed late,
 * which is harmless; a missing lease is not. For one thread; the caller passes the time.
 */
final class LeaseLog {

  /** The longest time without a lease that counts as late. */
  static final Duration LATE_MAX = Duration.ofSeconds(2);

  /** The changes since the last look. */
  enum News {
    NOTHING,
    HELD,
    LATE,
    /** The lease has been missing for {@link #LATE_MAX}; reported once. */
    MISSING
  }

  private boolean wasValid;
  private OptionalLong lateSinceNanos = OptionalLong.empty();

  News look(boolean isValid, long nowNanos) {
    if (wasValid != isValid) {
      wasValid = isValid;
      lateSinceNanos = isValid ? OptionalLong.empty() : OptionalLong.of(nowNanos);
      return isValid ? News.HELD : News.LATE;
    }
    if (lateSinceNanos.isPresent() && nowNanos - lateSinceNanos.getAsLong() >= LATE_MAX.toNanos()) {
      lateSinceNanos = OptionalLong.empty();
      return News.MISSING;
    }
    return News.NOTHING;
  }
}
