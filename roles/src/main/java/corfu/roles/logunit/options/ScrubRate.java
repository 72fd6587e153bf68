package corfu.roles.logunit.options;

import java.time.Duration;

/**
 * How fast a log unit reads through what it holds, to find what its disk has damaged.
 *
 * @param bytesPerSecond at the most; half of that while requests are under way; 0: not at all
 * @param shortestRound once through all it does not go more often than this
 */
public record ScrubRate(long bytesPerSecond, Duration shortestRound) {

  /** Not at all. */
  public static final ScrubRate OFF = new ScrubRate(0, Duration.ofDays(1));

  /** 8 MiB a second: a terabyte in a day and a half; a unit that holds little, four times a day. */
  public static final ScrubRate DEFAULT = new ScrubRate(8L << 20, Duration.ofHours(6));

  public ScrubRate {
    if (bytesPerSecond < 0 || shortestRound.isNegative()) {
      throw new IllegalArgumentException(
          "a scrubber reads 0 bytes a second or more, not " + bytesPerSecond);
    }
  }
}
