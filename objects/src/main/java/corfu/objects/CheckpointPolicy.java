package corfu.objects;

import java.time.Duration;
import java.util.Optional;

/**
 * When a client writes checkpoints of objects that it has open, by itself: in the background, one
 * at a time, part after part. Of all clients that view an object, one does it: they agree by the
 * log. Objects that nobody reads are not checkpointed.
 *
 * <p>A checkpoint is written when there have been so many updates since the last one, or so many
 * bytes of them, or so long ago an update that is in none; but not before there are as many bytes
 * of updates as the last checkpoint had, so that checkpoints never write more than updates do.
 *
 * @param everyUpdates how many updates; {@code Long.MAX_VALUE}: never for their number
 * @param everyBytes how many bytes of updates; {@code Long.MAX_VALUE}: never for their size
 * @param every how long after an update at the latest; empty: never for the time alone
 * @param history what is kept of what lies before a checkpoint
 * @param bytesPerSecond how fast a checkpoint is written at the most, so that it stands in nobody's
 *     way
 */
public record CheckpointPolicy(
    long everyUpdates,
    long everyBytes,
    Optional<Duration> every,
    History history,
    long bytesPerSecond) {

  /** Only when somebody calls {@link ReplicatedObjects#checkpoint}. */
  public static final CheckpointPolicy MANUAL =
      new CheckpointPolicy(
          Long.MAX_VALUE, Long.MAX_VALUE, Optional.empty(), History.FOR_EVER, 32L << 20);

  /** Every 100,000 updates or 64 MiB of them; all history is kept. */
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

  /** Whether there is any reason for which checkpoints are written without being asked for. */
  public boolean isAutomatic() {
    return everyUpdates != Long.MAX_VALUE || everyBytes != Long.MAX_VALUE || every.isPresent();
  }

  public CheckpointPolicy withEveryUpdates(long updates) {
    return new CheckpointPolicy(updates, everyBytes, every, history, bytesPerSecond);
  }

  public CheckpointPolicy withEveryBytes(long bytes) {
    return new CheckpointPolicy(everyUpdates, bytes, every, history, bytesPerSecond);
  }

  /** An update is in a checkpoint that begins after this time at the latest. */
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
