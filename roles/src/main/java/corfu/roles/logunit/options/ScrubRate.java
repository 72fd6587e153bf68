package corfu.roles.logunit.options;

import java.time.Duration;

/**
 * How fast a log unit's scrubber reads through the unit's content to find damage.
 *
 * @param bytesPerSecond the highest rate in bytes a second, halved while requests are running; 0
 *     turns the scrubber off
 * @param shortestRound the shortest duration of a round through all content
 */
public record ScrubRate(long bytesPerSecond, Duration shortestRound) {

  /** No scrubbing. */
  public static final ScrubRate OFF = new ScrubRate(0, Duration.ofDays(1));

  /**
   * 8 MiB a second: a terabyte in a day and a half; a unit with little content four times a day.
   */
  public static final ScrubRate DEFAULT = new ScrubRate(8L << 20, Duration.ofHours(6));

  public ScrubRate {
    if (bytesPerSecond < 0 || shortestRound.isNegative()) {
      throw new IllegalArgumentException(
          "a scrubber reads 0 bytes a second or more, not " + bytesPerSecond);
    }
  }
}
