package corfu.bench.harness;

import java.util.Arrays;

/** When operations began and ended, one after the other. One thread writes; read afterwards. */
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

  /** The longest operation that was under way at some time in between; its begin and its end. */
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
   * The end of the first operation that ended then or later.
   *
   * @throws IllegalStateException if there is none
   */
  public long firstEndAfter(long time) {
    for (int i = 0; i < size; i++) {
      if (ends[i] - time >= 0) {
        return ends[i];
      }
    }
    throw new IllegalStateException("nothing was done any more");
  }

  /** How many operations ended in each of so many periods from then on. */
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

  /** A time by {@link System#nanoTime}. */
  public record Span(long begin, long end) {
    public long nanos() {
      return end - begin;
    }
  }
}
