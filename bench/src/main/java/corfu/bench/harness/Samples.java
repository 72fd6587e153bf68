package corfu.bench.harness;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;

/** A few durations of the same operation. Not thread-safe. */
public final class Samples {

  private static final double MILLI = 1e6;

  private final List<Long> nanos = new ArrayList<>();

  public void add(long tookNanos) {
    nanos.add(tookNanos);
  }

  public int count() {
    return nanos.size();
  }

  /**
   * Returns the smallest measured time that at least this percentage of the times does not exceed.
   */
  public double millis(double percentile) {
    List<Long> sorted = new ArrayList<>(nanos);
    Collections.sort(sorted);
    int rank = (int) Math.ceil(percentile / 100 * sorted.size());
    return sorted.get(Math.max(0, rank - 1)) / MILLI;
  }

  public PartResult.Times times(String part, String what) {
    return times(part, what, OptionalDouble.empty());
  }

  public PartResult.Times times(String part, String what, OptionalDouble machineMillis) {
    return new PartResult.Times(
        part, what, count(), millis(50), millis(99), millis(100), machineMillis);
  }
}
