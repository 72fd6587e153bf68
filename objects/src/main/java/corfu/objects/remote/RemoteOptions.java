package corfu.objects.remote;

import java.time.Duration;

/**
 * How a client uses views that servers host.
 *
 * @param patience how long one host may take for one call
 * @param fallback what is done where no host answers
 */
public record RemoteOptions(Duration patience, Fallback fallback) {

  /** What is done where no host answers, or none has the time. */
  public enum Fallback {
    /** The client plays the object itself, until a host answers again. */
    LOCAL,
    /** The call fails. */
    NONE
  }

  /** Two seconds; then a local view. */
  public static final RemoteOptions DEFAULT =
      new RemoteOptions(Duration.ofSeconds(2), Fallback.LOCAL);

  public RemoteOptions {
    if (patience.toMillis() < 1 || patience.compareTo(Duration.ofHours(1)) > 0) {
      throw new IllegalArgumentException("a host is given 1 ms to 1 h, but this is " + patience);
    }
  }

  public RemoteOptions withPatience(Duration time) {
    return new RemoteOptions(time, fallback);
  }

  public RemoteOptions withFallback(Fallback other) {
    return new RemoteOptions(patience, other);
  }
}
