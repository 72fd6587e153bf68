package corfu.access.quota;

/** Counts what happened in the last full second. Not thread-safe. */
final class RateMeter {

  private static final long SECOND_NANOS = 1_000_000_000L;

  private long began;
  private long present;
  private long last;

  RateMeter(long nanos) {
    began = nanos;
  }

  void add(long count, long nanos) {
    advance(nanos);
    present += count;
  }

  /** Returns the count of the last full second. */
  long perSecond(long nanos) {
    advance(nanos);
    return last;
  }

  private void advance(long nanos) {
    long seconds = (nanos - began) / SECOND_NANOS;
    if (seconds > 0) {
      last = seconds == 1 ? present : 0;
      present = 0;
      began += seconds * SECOND_NANOS;
    }
  }
}
