package corfu.objects.tango;

import java.time.Duration;

/**
 * How a client treats commit records whose decision is late: whoever wrote them has died, or is
 * slow. Either may decide, since the log says it all.
 *
 * @param hostTimeout after so long who has all that a transaction has read writes the decision
 * @param otherTimeout after so long whoever waits for it reads what it takes from the log, and
 *     writes it; no shorter than {@code hostTimeout}
 */
public record TangoOptions(Duration hostTimeout, Duration otherTimeout) {

  /** Half a second, and two. */
  public static final TangoOptions DEFAULT =
      new TangoOptions(Duration.ofMillis(500), Duration.ofSeconds(2));

  public TangoOptions {
    if (hostTimeout.isNegative() || otherTimeout.compareTo(hostTimeout) < 0) {
      throw new IllegalArgumentException(
          "others wait longer than those who have all that was read, not %s and %s"
              .formatted(otherTimeout, hostTimeout));
    }
  }
}
