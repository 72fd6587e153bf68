package corfu.bench.harness;

import java.util.Arrays;

/**
 * The begin and end of each operation of one thread, one after the other. It is read after the
 * thread has ended.
 */
public final class OperationTimeline {

  private long[] begins = new long[1 << 16];
  private long[] ends = new long[1 << 16];
  private int size;

  void add(long begin, long end) {
    if (size == begins.length) {
      begins = Arrays.copyOf(begins, 2 * size);
      ends = Arrays.copyOf(ends, 2 * size);
    }
    begins[size] = begin;
    ends[size++] = end;
  }

  /** Returns the longest operation that was in flight at some time between these two. */
  public Span longest(long from, long to) {
    Span longest = new Span(from, from);
    for (int i = 0; i < size; i++) {
      if (ends[i] >= from && begins[i] < to && ends[i] - begins[i] > longest.nanos()) {
        longest = new Span(begins[i], ends[i]);
      }
    }
    return longest;
  }

  /**
   * Returns the end of the first operation that ended at or after this time.
   *
   * @throws IllegalStateException if no operation ended then
   */
  public long firstEndAfter(long time) {
    for (int i = 0; i < size; i++) {
      if (ends[i] - time >= 0) {
        return ends[i];
      }
    }
    throw new IllegalStateException("nothing was done any more");
  }

  /** Returns the number of operations that ended in each period, from this time on. */
  public long[] counts(long from, long periodNanos, int periods) {
    long[] counts = new long[periods];
    for (int i = 0; i < size; i++) {
      long period = Math.floorDiv(ends[i] - from, periodNanos);
      if (period >= 0 && period < periods) {
        counts[(int) period]++;
      }
    }
    return counts;
  }

  /** An interval, by {@link System#nanoTime}. */
  public record Span(long begin, long end) {
    public long nanos() {
      return end - begin;
    }
  }
}
