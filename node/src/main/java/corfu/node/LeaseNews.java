package corfu.node;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * What is worth a line in the log about a server's lease. A busy machine makes a lease late, which
 * is no trouble; one that stays away is. For one thread; time is what the caller says.
 */
final class LeaseNews {

  /** A lease that is away for longer is more than late. */
  static final Duration LATE_MAX = Duration.ofSeconds(2);

  /** What has happened since the last look. */
  enum News {
    NOTHING,
    HELD,
    LATE,
    /** It has been away for {@link #LATE_MAX}; told once. */
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
