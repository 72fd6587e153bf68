package corfu.silver.lock;

import corfu.smr.Follow;
import corfu.smr.SmrOptions;
import java.time.Duration;

/**
 * The options of a mount's locks. All mounts of a file system should have the same timeout.
 *
 * @param sessionTimeout the time without contact to the log after which a mount has lost its locks,
 *     100 ms or more. Other mounts wait a quarter longer before they propose the end of a session
 * @param replica the options of the replica of all locks
 */
public record LockOptions(Duration sessionTimeout, SmrOptions replica) {

  private static final Duration MIN_TIMEOUT = Duration.ofMillis(100);

  /** A timeout of 30 s; grants arrive by push; the log keeps little history of locks. */
  public static final LockOptions DEFAULT =
      new LockOptions(
          Duration.ofSeconds(30),
          SmrOptions.DEFAULT
              .withFollow(Follow.push())
              .withCheckpointEvery(10_000)
              .withKeepCheckpoints(2));

  public LockOptions {
    if (sessionTimeout.compareTo(MIN_TIMEOUT) < 0) {
      throw new IllegalArgumentException(
          "the timeout of a session of locks is 100 ms or more, not " + sessionTimeout);
    }
  }

  /** Returns options with another timeout of the session, 100 ms or more. */
  public LockOptions withSessionTimeout(Duration timeout) {
    return new LockOptions(timeout, replica);
  }

  /** Returns options with another replica. */
  public LockOptions withReplica(SmrOptions options) {
    return new LockOptions(sessionTimeout, options);
  }
}
