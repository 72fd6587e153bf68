package corfu.objects.remote;

import java.time.Duration;

/**
 * How a client uses views that servers host.
 *
 * @param patience how long one host may take for one call
 * @param playing how long one host may take for one call while it reports that it is still playing
 *     the object, and makes progress. A large object is worth the wait if the alternative is to
 *     play it at the client. Each such report restarts the call's operation timeout
 * @param fallback the client's reaction if no host answers
 */
public record RemoteOptions(Duration patience, Duration playing, Fallback fallback) {

  /** The client's reaction if no host answers, or none has the time. */
  public enum Fallback {
    /** The client plays the object itself, until a host answers again. */
    LOCAL,
    /** The call fails. */
    NONE
  }

  /** Two seconds, or a minute while the host plays; then a local view. */
  public static final RemoteOptions DEFAULT =
      new RemoteOptions(Duration.ofSeconds(2), Duration.ofMinutes(1), Fallback.LOCAL);

  public RemoteOptions {
    if (playing.isNegative()) {
      throw new IllegalArgumentException("a host may play for no time or more, not " + playing);
    }
    if (patience.toMillis() < 1 || patience.compareTo(Duration.ofHours(1)) > 0) {
      throw new IllegalArgumentException("a host is given 1 ms to 1 h, but this is " + patience);
    }
  }

  public RemoteOptions withPatience(Duration time) {
    return new RemoteOptions(time, playing, fallback);
  }

  public RemoteOptions withPlaying(Duration time) {
    return new RemoteOptions(patience, time, fallback);
  }

  public RemoteOptions withFallback(Fallback other) {
    return new RemoteOptions(patience, playing, other);
  }
}
