package corfu.objects;

import java.time.Duration;
import java.util.Optional;

/**
 * Says when a client writes checkpoints of its open objects by itself. It writes them in the
 * background, one at a time, part after part. One client writes the checkpoint for all clients that
 * view an object; they agree on it by the log. Objects that no client reads are not checkpointed.
 *
 * <p>A client writes a checkpoint for one of three reasons: the number of updates since the last
 * checkpoint, their bytes, or the age of an update that no checkpoint contains. But it waits until
 * the updates have as many bytes as the last checkpoint had. So checkpoints never write more bytes
 * than updates do.
 *
 * @param everyUpdates number of updates between checkpoints; {@code Long.MAX_VALUE}: the number is
 *     no reason
 * @param everyBytes bytes of updates between checkpoints; {@code Long.MAX_VALUE}: the bytes are no
 *     reason
 * @param every longest time from an update to the next checkpoint; empty: the time is no reason
 * @param history the part of the history before a checkpoint that is kept
 * @param bytesPerSecond highest rate at which a checkpoint is written, so that it does not slow
 *     other work down
 */
public record CheckpointPolicy(
    long everyUpdates,
    long everyBytes,
    Optional<Duration> every,
    History history,
    long bytesPerSecond) {

  /** Writes a checkpoint only if the application calls {@link ReplicatedObjects#checkpoint}. */
  public static final CheckpointPolicy MANUAL =
      new CheckpointPolicy(
          Long.MAX_VALUE, Long.MAX_VALUE, Optional.empty(), History.FOR_EVER, 32L << 20);

  /** Writes a checkpoint every 100,000 updates or 64 MiB of updates; keeps all history. */
  public static final CheckpointPolicy DEFAULT =
      MANUAL.withEveryUpdates(100_000).withEveryBytes(64L << 20);

  public CheckpointPolicy {
    if (everyUpdates < 1 || everyBytes < 1 || bytesPerSecond < 1) {
      throw new IllegalArgumentException(
          "checkpoints are written every 1 or more updates or bytes, at 1 byte/s or more, but these"
              + " are %d updates, %d bytes, %d bytes/s"
                  .formatted(everyUpdates, everyBytes, bytesPerSecond));
    }
    if (every.isPresent() && (every.get().isNegative() || every.get().isZero())) {
      throw new IllegalArgumentException("checkpoints can't be written every " + every.get());
    }
  }

  /** Returns whether this policy ever writes checkpoints by itself. */
  public boolean isAutomatic() {
    return everyUpdates != Long.MAX_VALUE || everyBytes != Long.MAX_VALUE || every.isPresent();
  }

  public CheckpointPolicy withEveryUpdates(long updates) {
    return new CheckpointPolicy(updates, everyBytes, every, history, bytesPerSecond);
  }

  public CheckpointPolicy withEveryBytes(long bytes) {
    return new CheckpointPolicy(everyUpdates, bytes, every, history, bytesPerSecond);
  }

  /** Returns this policy with this longest time from an update to the start of a checkpoint. */
  public CheckpointPolicy withEvery(Duration time) {
    return new CheckpointPolicy(
        everyUpdates, everyBytes, Optional.of(time), history, bytesPerSecond);
  }

  public CheckpointPolicy withHistory(History kept) {
    return new CheckpointPolicy(everyUpdates, everyBytes, every, kept, bytesPerSecond);
  }

  public CheckpointPolicy withBytesPerSecond(long bytes) {
    return new CheckpointPolicy(everyUpdates, everyBytes, every, history, bytes);
  }
}
