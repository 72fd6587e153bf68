package corfu.cli.mirror;

import corfu.cli.output.Units;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a run of a mirror says of itself, and when: how far it is as long as that changes, now and
 * then that nothing is new, and that a cluster does not answer. Thread-safe; time is what the
 * caller says.
 */
final class MirrorProgress {

  /** How often progress is told. */
  static final Duration PROGRESS = Duration.ofSeconds(2);

  /** How often a run that has nothing to do says so, or that it waits for an answer. */
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

  /** After each piece. Returns what is to be said, if it is time for that. */
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

  /** Now and then, whatever the run does. Returns what is to be said of a piece that takes long. */
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
