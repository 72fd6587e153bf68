package corfu.cli.mirror;

import corfu.cli.output.Units;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Decides when a run of a mirror prints which message: its progress while that changes, from time
 * to time that nothing is new, and that a cluster does not answer. Thread-safe. The caller passes
 * the time.
 */
final class MirrorProgress {

  /** The shortest time between two messages of progress. */
  static final Duration PROGRESS = Duration.ofSeconds(2);

  /** The time between two messages of a run that has nothing to do, or that waits for an answer. */
  static final Duration QUIET = Duration.ofSeconds(10);

  private long lookedNanos;
  private long steppedNanos;
  private long toldNanos;
  private String told = "";

  MirrorProgress(long nowNanos) {
    lookedNanos = nowNanos;
    steppedNanos = nowNanos;
    toldNanos = nowNanos;
  }

  /** Records the end of a piece. Returns the message that is due, if any. */
  Optional<String> stepped(long nowNanos, Supplier<String> line) {
    synchronized (this) {
      steppedNanos = nowNanos;
      if (nowNanos - lookedNanos < PROGRESS.toNanos()) {
        return Optional.empty();
      }
      lookedNanos = nowNanos;
    }
    return looked(nowNanos, line.get());
  }

  private synchronized Optional<String> looked(long nowNanos, String line) {
    boolean isNew = !line.equals(told);
    if (!isNew && nowNanos - toldNanos < QUIET.toNanos()) {
      return Optional.empty();
    }
    told = line;
    toldNanos = nowNanos;
    return Optional.of(isNew ? line : line + "; nothing new");
  }

  /** Called from time to time. Returns the message about a piece that takes long, if it is due. */
  synchronized Optional<String> waiting(long nowNanos) {
    long sinceNanos = nowNanos - Math.max(steppedNanos, toldNanos);
    if (sinceNanos < QUIET.toNanos()) {
      return Optional.empty();
    }
    toldNanos = nowNanos;
    return Optional.of(
        "has been waiting for an answer of a cluster for "
            + Units.time(Duration.ofNanos(nowNanos - steppedNanos)));
  }
}
